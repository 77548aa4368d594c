import { examine } from '../../../app/maintenance/doctor.ts';
import { FAULTS } from '../../../core/model/fault.ts';
import type { Finding } from '../../../ports/archive.ts';
import { commonOptions, type Define, examples } from '../cli.ts';
import type { Console } from '../console.ts';
import { cleanText } from '../terminal/clean-text.ts';
import { plural } from '../terminal/quantities.ts';
import { hanging } from '../terminal/wrap-text.ts';

export const defineDoctor: Define = (command, cli) => {
  command.addHelpText('after', '\nExits with 10 if there is an error. Warnings are not errors.');
  commonOptions(command);
  examples(command, 'doctor', 'doctor --json');
  command.action(async () => {
    const { console } = cli;
    const items = await examine(await cli.world());
    const errors = items.filter((finding) => finding.level === 'error').length;
    if (errors > 0) process.exitCode = FAULTS['verify-failed'].exit;
    if (console.json) return console.printJson({ items, next: null, ok: errors === 0 });
    for (const finding of items) printFinding(finding, console);
    const warnings = items.filter((finding) => finding.level === 'warning').length;
    console.print(
      '',
      errors + warnings === 0
        ? 'No problems found.'
        : `${plural(errors, 'error')}, ${plural(warnings, 'warning')}.`,
    );
  });
};

/** Behind the word that says how bad it is. */
const INDENT = 9;

export function printFinding(finding: Finding, console: Console): void {
  const { style } = console;
  const sign = { ok: style.good('ok     '), warning: style.warn('warning'), error: style.bad('error  ') }[
    finding.level
  ];
  const subject = cleanText(finding.subject);
  // Painted after wrapping: a color takes no room.
  const [first = '', ...more] = hanging(
    '',
    INDENT,
    `${subject}: ${cleanText(finding.message)}`,
    console.width,
  );
  const strong = first.startsWith(subject) ? style.strong(subject) + first.slice(subject.length) : first;
  console.print(`${sign}  ${strong}`, ...more);
  if (finding.hint === undefined) return;
  const indent = ' '.repeat(INDENT);
  console.print(...hanging(indent, INDENT, cleanText(finding.hint), console.width).map(style.dim));
}
