import ts from 'typescript';

const CHANGING = new Set(
  'set add delete clear push pop shift unshift splice sort reverse fill copyWithin'.split(' '),
);
/** Bounded by what they are. */
const BOUNDED = /^new (?:BoundedCache|PerOwner)\b/;

/** What a module remembers between two calls: variables, and constants that a function of it changes. */
export function moduleState(text: string): string[] {
  const source = ts.createSourceFile('module.ts', text, ts.ScriptTarget.Latest, true);
  const constants = new Set<string>();
  const state = new Set<string>();
  for (const statement of source.statements.filter(ts.isVariableStatement)) {
    const isConst = (statement.declarationList.flags & ts.NodeFlags.Const) !== 0;
    for (const { name, initializer } of statement.declarationList.declarations) {
      if (!isConst) state.add(name.getText());
      else if (!BOUNDED.test(initializer?.getText() ?? '')) constants.add(name.getText());
    }
  }
  const visit = (node: ts.Node, inFunction: boolean): void => {
    const changed = inFunction ? changedBy(node) : undefined;
    if (changed && constants.has(changed)) state.add(changed);
    ts.forEachChild(node, (child) => visit(child, inFunction || ts.isFunctionLike(node)));
  };
  visit(source, false);
  return [...state];
}

/** The name of what a call, an assignment or a step changes. Where a pattern goes on is set before each use. */
function changedBy(node: ts.Node): string | undefined {
  if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
    return CHANGING.has(node.expression.name.text) ? rootOf(node.expression.expression) : undefined;
  }
  if (ts.isBinaryExpression(node) && isAssignment(node.operatorToken.kind)) {
    const { left } = node;
    return ts.isPropertyAccessExpression(left) && left.name.text === 'lastIndex' ? undefined : rootOf(left);
  }
  if (ts.isPostfixUnaryExpression(node)) return rootOf(node.operand);
  if (!ts.isPrefixUnaryExpression(node)) return undefined;
  const steps = [ts.SyntaxKind.PlusPlusToken, ts.SyntaxKind.MinusMinusToken];
  return steps.includes(node.operator) ? rootOf(node.operand) : undefined;
}

function isAssignment(kind: ts.SyntaxKind): boolean {
  return kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;
}

function rootOf(expression: ts.Expression): string | undefined {
  let root: ts.Node = expression;
  while (
    ts.isPropertyAccessExpression(root) ||
    ts.isElementAccessExpression(root) ||
    ts.isNonNullExpression(root)
  )
    root = root.expression;
  return ts.isIdentifier(root) ? root.text : undefined;
}
