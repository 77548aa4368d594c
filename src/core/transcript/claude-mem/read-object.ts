import type { Entry } from '../../model/entry.ts';
import { parseOutside } from '../../model/parse-stored.ts';
import type { ReadObject } from '../../model/read-object.ts';
import { type AgentPlace, callEntries, madeId, timeOf } from '../agent-place.ts';
import type { AgentReader } from '../agent-reader.ts';
import { readUserText } from '../claude-code/user-text.ts';
import { knownFields, knownMarks, withGaps } from '../known-fields.ts';
import type { JsonObject } from '../parse-line.ts';
import { allOf, compaction, notice, only, skipped, spoken, titled, unknown } from '../read-parts.ts';
import { isStaged, stagedRow } from '../staged-rows.ts';
import { stringOf } from '../string-of.ts';

const AGENT = 'claude-mem';

/**
 * Sessions of claude-mem's database, from the lines that are made of its rows. Its prompts are what a person typed; its
 * observations and summaries were written by a model, and are read as what an assistant said, under its name.
 */
export const claudeMemReader: AgentReader = {
  is: (object) => isStaged(object, AGENT),
  read: (object, src) => {
    const { kind, row } = stagedRow(object, AGENT) ?? { kind: '', row: {} };
    const ts = timeOf(row.created_at_epoch) || timeOf(row.started_at_epoch);
    const place: AgentPlace = { id: `${kind}_${String(row.id ?? '') || madeId(src, ts)}`, ts, src };
    switch (kind) {
      case 'session':
        return readSession(row, place);
      case 'prompt':
        return withGaps(typed(stringOf(row.prompt_text), place), PROMPT, row);
      case 'observation':
        return withGaps(allOf(observed(row, place), 'no words'), OBSERVATION, row);
      case 'summary':
        return withGaps(allOf(said(place, paragraphs(row, SUMMARY)), 'no words'), SUMMARIZED, row);
      default:
        return unknown(kind);
    }
  },
};

function readSession(row: JsonObject, place: AgentPlace): ReadObject {
  const cwd = stringOf(row.cwd);
  const facts = { sessionId: stringOf(row.session), ...(cwd ? { cwd } : {}) };
  return withGaps({ entries: titled(place, stringOf(row.custom_title), true), facts }, SESSION, row);
}

/** Its hook gets what the client sends as a prompt: notices of the client, too. */
function typed(text: string, place: AgentPlace): ReadObject {
  const read = readUserText(text);
  if (read.speaker === 'compaction') return only(compaction(place, text));
  if (read.speaker !== 'user') return text.trim() === '' ? skipped('no words') : only(notice(place, text));
  const { command, aside } = read;
  const more = { ...(command ? { command } : {}), ...(aside ? { aside } : {}) };
  return allOf(
    spoken(place, text, read.text).map((entry) => ({ ...entry, ...more }) as Entry),
    'no words',
  );
}

const SUMMARY = {
  investigated: 'Investigated',
  learned: 'Learned',
  completed: 'Completed',
  next_steps: 'Next steps',
  notes: 'Notes',
};

/** Columns that every table of it has, or that say what made a row. */
const COLUMNS =
  'id memory_session_id sdk_session_id project type prompt_number created_at created_at_epoch discovery_tokens content_hash merged_into_project generated_by_model relevance_count agent_type agent_id platform_source metadata';
const SESSION = knownMarks(
  'row of sessions',
  { folder: 'cwd', title: 'custom_title' },
  `${COLUMNS} session content_session_id claude_session_id user_prompt started_at completed_at status worker_port prompt_counter`,
);
const PROMPT = knownMarks('row of prompts', { rest: 'id:ns prompt_text:s' });
const OBSERVATION = knownFields(
  'row of observations',
  'narrative:s',
  `${COLUMNS} text title subtitle facts concepts files_read files_modified`,
);
const SUMMARIZED = knownFields(
  'row of summaries',
  '',
  `${COLUMNS} request files_read files_edited ${Object.keys(SUMMARY).join(' ')}`,
);

function paragraphs(row: JsonObject, names: Record<string, string>): string {
  return Object.entries(names)
    .flatMap(([key, name]) =>
      stringOf(row[key]).trim() === '' ? [] : [`${name}: ${stringOf(row[key]).trim()}`],
    )
    .join('\n\n');
}

/** What was noticed, then the files that were changed by it. */
function observed(row: JsonObject, place: AgentPlace): Entry[] {
  const head = [row.title, row.subtitle].map((it) => stringOf(it).trim()).filter(Boolean);
  const body = [row.narrative, row.text].map((it) => stringOf(it).trim()).filter(Boolean);
  const facts = listIn(row.facts).map((fact) => `- ${fact}`);
  const text = [head.join('. '), ...body, facts.join('\n')].filter(Boolean).join('\n\n');
  const edits = listIn(row.files_modified).flatMap((path, index) =>
    callEntries(place, { toolUseId: `${place.id}/${index}`, name: 'Edit', input: { file_path: path } }),
  );
  return [...said(place, text), ...edits.map((it) => ({ ...it, settled: true }) as Entry)];
}

function said(place: AgentPlace, text: string): Entry[] {
  if (text.trim() === '') return [];
  return [
    { ...place, messageId: place.id, kind: 'assistant', origin: 'assistant', name: AGENT, text } as Entry,
  ];
}

/** A list as JSON. */
function listIn(value: unknown): string[] {
  const list = typeof value === 'string' ? parseOutside(value) : value;
  return Array.isArray(list) ? list.filter((it) => typeof it === 'string') : [];
}
