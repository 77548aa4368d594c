import { Fault } from '../../core/model/fault.ts';
import { parseStored } from '../../core/model/parse-stored.ts';
import { fields, list, oneOf, text, where } from '../../core/model/shape.ts';
import type { AgentConfig } from '../../ports/agent-config.ts';

/** A settings file that was edited: how it was before (null: there was none), and a hash of what was written. */
export type SetupRow = {
  agent: string;
  path: string;
  before: string | null;
  hash: string;
  /** Folders that were made for it. */
  folders: string[];
  /** All of it is Keepsake's. */
  whole?: true;
  format?: 'json' | 'toml';
  at?: string[];
  places?: { format: 'json' | 'toml'; at: string[]; own?: string }[];
};

const before = where((it): it is string | null => it === null || typeof it === 'string', 'a text or null');
const RECORD = fields({
  version: oneOf(1),
  files: list(
    fields(
      { agent: text, path: text, before, hash: text, folders: list(text) },
      {
        whole: oneOf(true),
        format: oneOf('json', 'toml'),
        at: list(text),
        places: list(fields({ format: oneOf('json', 'toml'), at: list(text) }, { own: text })),
      },
    ),
  ),
});

export async function readSetupRecord(config: AgentConfig, path: string): Promise<SetupRow[]> {
  const content = await config.read(path);
  if (content === undefined) return [];
  const read = parseStored(content, RECORD, ['version', 1]);
  if (read.state === 'read') return read.value.files as SetupRow[];
  throw new Fault(
    'corrupt',
    `${path} can't be read. It records the earlier content of other agents' files.`,
    {
      hint: 'Delete the entry "keepsake" in their settings yourself, then delete this file.',
    },
  );
}

export async function writeSetupRecord(config: AgentConfig, path: string, files: SetupRow[]): Promise<void> {
  await config.write(path, `${JSON.stringify({ version: 1, files }, null, 2)}\n`);
}
