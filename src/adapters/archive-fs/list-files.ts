import { readdir } from 'node:fs/promises';
import { diskFault, ifThere } from './disk-fault.ts';
import { TEMP_PREFIX } from './write-file.ts';

/** Every file below a folder, relative to it, with "/" between, sorted; unfinished ones left out. */
export async function listFiles(folder: string, except?: ReadonlySet<string>): Promise<string[]> {
  const names: string[] = [];
  try {
    await walk(folder, '', names, except);
  } catch (error) {
    throw diskFault(error, folder, 'read');
  }
  return names.sort();
}

async function walk(
  folder: string,
  below: string,
  names: string[],
  except: ReadonlySet<string> | undefined,
): Promise<void> {
  const entries = await ifThere(
    readdir(below === '' ? folder : `${folder}/${below}`, { withFileTypes: true }),
  );
  for (const entry of entries ?? []) {
    if (entry.name.startsWith(TEMP_PREFIX)) continue;
    const name = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) await walk(folder, name, names, except);
    else if (!except?.has(name)) names.push(name);
  }
}
