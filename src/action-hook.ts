import { fstatSync, statSync } from 'node:fs';
import { readToEnd } from './adapters/machine/read-stdin.ts';
import { readEnvironment } from './config/environment.ts';
import { hooksAreOff, startedFolder } from './config/hook-guard.ts';
import { answerAction } from './hook-action.ts';
import { isEventKeptOut } from './hook-record.ts';

// The entry of the hook before an edit or a command, apart from the others: what it needs would make each of them larger.
// Whatever happens, the call continues: nothing here ends with anything but 0.
const ignore = () => {
  process.exitCode = 0;
};
process.on('uncaughtException', ignore);
try {
  start();
} catch {
  ignore();
}

function start(): void {
  if (hooksAreOff() || fstatSync(0).isCharacterDevice()) return;
  const { archive } = readEnvironment();
  if (!statSync(archive, { throwIfNoEntry: false })?.isDirectory()) return;
  const text = readToEnd(0);
  if (isEventKeptOut(text, archive, startedFolder())) return;
  process.umask(0o077);
  answerAction(text, archive, () => new Date());
}
