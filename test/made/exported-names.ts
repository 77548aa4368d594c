import ts from 'typescript';

/** The names that a module declares and exports; of a Vue file, those of its scripts. What it only passes on is not among them. */
export function exportedNames(path: string, text: string): string[] {
  const code = path.endsWith('.vue') ? scriptsOf(text) : text;
  const source = ts.createSourceFile('module.ts', code, ts.ScriptTarget.Latest, true);
  const names = source.statements.filter(isExported).flatMap((statement) => {
    if (ts.isVariableStatement(statement)) return statement.declarationList.declarations.flatMap(namesIn);
    return ts.isDeclarationStatement(statement) && statement.name ? [statement.name.getText()] : [];
  });
  // Overloads, and a type that goes with a constant of its name.
  return [...new Set(names)];
}

function scriptsOf(text: string): string {
  return [...text.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/g)].map((match) => match[1]).join('\n');
}

function isExported(statement: ts.Statement): boolean {
  const modifiers = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) : undefined;
  return modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false;
}

function namesIn({ name }: ts.VariableDeclaration | ts.BindingElement): string[] {
  if (ts.isIdentifier(name)) return [name.text];
  return name.elements.flatMap((element) => (ts.isBindingElement(element) ? namesIn(element) : []));
}

/** `lookUpWidely` and `LOOKED_UP` as words in lower case. */
export function wordsOfName(name: string): string[] {
  return (name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? []).map((word) => word.toLowerCase());
}
