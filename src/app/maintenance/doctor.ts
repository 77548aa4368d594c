import { Fault } from '../../core/model/fault.ts';
import { isOutdated } from '../../core/model/refine-engine.ts';
import type { Finding } from '../../ports/archive.ts';
import { missedIn } from '../find/missed-markers.ts';
import { allSessions, type SessionRow } from '../find/sessions.ts';
import { findAgentFiles } from '../intake/agent-files.ts';
import { orFault } from '../or-fault.ts';
import type { World } from '../world.ts';
import { checkLeftOut } from './check-left-out.ts';
import { notUnderstood, oddTexts, repeatedTexts } from './odd-text.ts';
import { orFinding } from './or-finding.ts';
import { inspectFiles, type LostOriginal, originalsState } from './originals-state.ts';
import { projectsWithOwnMemory } from './own-memory.ts';
import { damagedFiles } from './stored-files.ts';

const LITTLE_SPACE = 500 * 1024 * 1024;
const NAMED = 5;

/** All that could go wrong on this machine, each with what to do. One check that fails does not stop the others. */
export async function examine(world: World): Promise<Finding[]> {
  const checks: [string, (world: World) => Promise<Finding[]>][] = [
    ['versions', checkVersions],
    ['archive', checkArchiveFolder],
    ['files', inspectFiles],
    ['stored files', checkStored],
    ['temp files', checkTempFiles],
    ['originals', checkOriginals],
    ['update', checkOutdated],
    ['unknown text', checkTexts],
    ['settings', checkSettings],
    ['transcripts', checkTranscripts],
    ['left out', checkLeftOut],
    ['other memory', checkOtherMemory],
  ];
  const findings: Finding[] = [];
  for (const [subject, check] of checks) {
    findings.push(...(await orFinding(subject, check(world))));
  }
  return findings;
}

async function checkVersions(world: World): Promise<Finding[]> {
  const { keepsake, node, sqlite } = await world.machine.versions();
  const message = `Keepsake ${keepsake} on Node ${node} with SQLite ${sqlite}.`;
  if (atLeast(sqlite, [3, 51, 3])) return [{ level: 'ok', subject: 'versions', message }];
  const hint = 'Install Node 22.22.3, 24.15, 26 or newer: an older SQLite can lose committed writes.';
  return [{ level: 'error', subject: 'versions', message, hint }];
}

async function checkArchiveFolder(world: World): Promise<Finding[]> {
  const subject = 'archive';
  const { root } = world.archive;
  const access = await world.machine.accessTo(root);
  if (access === 'missing') {
    const hint = '`keepsake sync` creates it.';
    return [{ level: 'warning', subject, message: `The archive ${root} does not exist yet.`, hint }];
  }
  if (access !== 'write') {
    const message = `The archive ${root} is not writable.`;
    return [{ level: 'error', subject, message, hint: `Change its owner: chown -R "$USER" ${root}` }];
  }
  const findings: Finding[] = [];
  if (!(await world.machine.isOwn(root))) {
    const message = `${root} belongs to another user of this machine, who can read and replace what is in it.`;
    const hint = `Change its owner: chown -R "$USER" ${root}, or choose another folder with CLAUDE_MEMORY_DIR.`;
    findings.push({ level: 'error', subject, message, hint });
  }
  const mode = await world.machine.mode(root);
  if (mode !== undefined && (mode & 0o077) !== 0) {
    const message = `Other users of this machine can read ${root} (mode ${mode.toString(8)}).`;
    findings.push({ level: 'warning', subject, message, hint: `chmod 700 ${root}` });
  }
  const free = await world.machine.freeBytes(root);
  if (free !== undefined && free < LITTLE_SPACE) {
    const message = `Only ${Math.floor(free / 1024 / 1024)} MB are free on the disk of the archive.`;
    findings.push({
      level: 'warning',
      subject,
      message,
      hint: 'Free some space, or move the archive and set CLAUDE_MEMORY_DIR.',
    });
  }
  if (findings.length === 0)
    findings.push({ level: 'ok', subject, message: `${root} is private and writable.` });
  return findings;
}

async function checkTempFiles(world: World): Promise<Finding[]> {
  const swept = await world.archive.sweep();
  if (swept.length === 0) return [];
  const message = `${number(swept.length, 'temp file', 'temp files')} of interrupted work deleted: ${swept.slice(0, 5).join(', ')}.`;
  return [{ level: 'ok', subject: 'temp files', message }];
}

async function checkStored(world: World): Promise<Finding[]> {
  const projects = await world.archive.projects();
  return (await Promise.all(projects.map((project) => damagedFiles(world, project)))).flat();
}

/** Own copies that are gone, links whose target is, and links that will be. */
async function checkOriginals(world: World): Promise<Finding[]> {
  const subject = 'originals';
  const rows = await allSessions(world);
  const { lost, linked } = await originalsState(world, rows);
  const findings = lost.slice(0, NAMED).map(lostFinding);
  if (lost.length > NAMED) {
    const message = `${lost.length - NAMED} more originals are missing.`;
    findings.push({ level: 'error', subject, message, hint: '`keepsake verify` lists all of them.' });
  }
  const settings = await orFault(world.settings.resolve());
  const isLinking = !(settings instanceof Fault) && settings.config.storage.originals === 'symlink';
  if (linked > 0 || isLinking) {
    const { cleanupDays } = await findAgentFiles(world);
    const message = `${number(linked, 'original is only a link', 'originals are only links')} to the agent's files. The agent deletes them after ${number(cleanupDays, 'day', 'days')}; then they are lost.`;
    const hint =
      'To store copies, run `keepsake config set storage.originals copy`, then `keepsake register --all`.';
    findings.push({ level: 'warning', subject, message, hint });
  }
  if (findings.length > 0) return findings;
  const message = `${number(rows.length, 'original', 'originals')} found.`;
  return [{ level: 'ok', subject, message }];
}

async function checkOutdated(world: World): Promise<Finding[]> {
  const waiting = (await allSessions(world)).filter(isOutdated).length;
  if (waiting === 0) return [];
  const message = `${number(waiting, 'session was', 'sessions were')} read by an older version of Keepsake; hooks do not use the memory of ${waiting === 1 ? 'it' : 'them'}.`;
  return [{ level: 'warning', subject: 'update', message, hint: 'Run `keepsake sync`.' }];
}

function lostFinding({ row, path, how }: LostOriginal): Finding {
  const what = {
    missing: 'is missing',
    dangling: 'is a broken link: the agent deleted its file',
    none: "can't be read",
  }[how];
  const hint =
    how === 'dangling'
      ? '`keepsake config set storage.originals copy` copies future originals. The refined text of this session is still in the archive.'
      : `If ${row.originalFile} still exists: keepsake register ${row.originalFile}`;
  return {
    level: 'error',
    subject: 'originals',
    message: `The original of ${row.sessionId} ${what}: ${path}`,
    hint,
  };
}

async function checkTexts(world: World): Promise<Finding[]> {
  const rows = await allSessions(world);
  return [
    ...notUnderstood(rows),
    ...(await oddTexts(world, rows)),
    ...missedKeepits(rows),
    ...(await repeatedTexts(world, rows)),
  ];
}

function missedKeepits(rows: SessionRow[]): Finding[] {
  const missed = missedIn(rows).slice(0, NAMED);
  return missed.map(({ sessionId, text, marker }) => ({
    level: 'warning',
    subject: 'keepits',
    message: `${text} in session ${sessionId.slice(0, 8)} is not a valid keepit, so nothing is kept.`,
    hint: `Write it as ${marker}. To mark text that was already said, use \`keepsake keepit add\`.`,
  }));
}

async function checkSettings(world: World): Promise<Finding[]> {
  const subject = 'settings';
  const { warnings } = await world.settings.resolve();
  const hint = `If it is a mistake, remove it with \`keepsake config edit\`; the file is ${world.settings.file}.`;
  if (warnings.length > 0) return warnings.map((message) => ({ level: 'warning', subject, message, hint }));
  return [{ level: 'ok', subject, message: 'The settings are valid.' }];
}

async function checkTranscripts(world: World): Promise<Finding[]> {
  const subject = 'transcripts';
  const files = await findAgentFiles(world);
  const findings: Finding[] = files.unreadable.map((path) => {
    return { level: 'warning', subject, message: `${path} can't be read.`, hint: `chmod -R u+rX ${path}` };
  });
  if (files.atRisk.length > 0) {
    const message = `The agent will delete ${number(files.atRisk.length, 'transcript', 'transcripts')} within a week that ${files.atRisk.length === 1 ? 'is' : 'are'} not archived yet.`;
    findings.push({ level: 'warning', subject, message, hint: 'Run `keepsake sync` now.' });
  } else if (files.pending.length > 0) {
    const message = `${number(files.pending.length, 'transcript is new or has', 'transcripts are new or have')} grown since the last sync.`;
    findings.push({ level: 'warning', subject, message, hint: 'Run `keepsake sync`.' });
  }
  if (findings.length > 0) return findings;
  const message = `The agent has ${number(files.found, 'transcript', 'transcripts')}; all are synced. The agent deletes transcripts after ${number(files.cleanupDays, 'day', 'days')}.`;
  return [{ level: 'ok', subject, message }];
}

/** Claude Code keeps notes of its own; both at work is allowed, but a person should know. */
async function checkOtherMemory(world: World): Promise<Finding[]> {
  const projects = await projectsWithOwnMemory(world);
  if (projects === 0) return [];
  const message = `Claude Code's auto memory (MEMORY.md) is also active in ${number(projects, 'project', 'projects')}. Keepsake does not change it.`;
  const hint = 'To use only Keepsake, set "autoMemoryEnabled": false in its settings.json.';
  return [{ level: 'warning', subject: 'other memory', message, hint }];
}

function number(value: number, one: string, many: string): string {
  return `${value} ${value === 1 ? one : many}`;
}

function atLeast(version: string, wanted: number[]): boolean {
  const parts = version.split('.').map(Number);
  for (const [index, want] of wanted.entries()) {
    const part = parts[index] ?? 0;
    if (part !== want) return part > want;
  }
  return true;
}
