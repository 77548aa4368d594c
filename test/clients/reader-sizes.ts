import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AGENTS, type Agent } from '../../src/core/model/agent.ts';

const SRC = join(import.meta.dirname, '..', '..', 'src');
/** Finders whose name differs from their agent's. Roo uses Cline's format. */
const FINDERS: Record<string, string> = { 'vscode-copilot': 'vscode', 'memory-files': 'memory-file' };

/** Lines of code of each agent's reader and finder, without shared code, tests and empty lines. */
export function readerSizes(): { agent: Agent; reader: number; finder: number }[] {
  const finders = AGENTS.map((agent) => FINDERS[agent] ?? agent);
  const ownerOf = (name: string) =>
    finders.filter((it) => name.startsWith(`${it}-`)).sort((a, b) => b.length - a.length)[0];
  return AGENTS.map((agent, at) => ({
    agent,
    reader: linesIn(join(SRC, 'core', 'transcript', agent), () => true),
    finder: linesIn(join(SRC, 'adapters', 'agents'), (name) => ownerOf(name) === finders[at]),
  }));
}

function linesIn(folder: string, isOwn: (name: string) => boolean): number {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const own = names.filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && isOwn(name));
  const texts = own.map((name) => readFileSync(join(folder, name), 'utf8'));
  return texts.reduce((sum, text) => sum + text.split('\n').filter((line) => line.trim() !== '').length, 0);
}
