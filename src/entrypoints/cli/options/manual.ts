import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { z } from 'zod';
import type { Choice, ManualAsk } from '../../../app/compress/manual-version.ts';
import { withoutUndefined } from '../../../app/without-undefined.ts';
import type { CompressRequest } from '../../../core/compress/compress-settings.ts';
import { Fault } from '../../../core/model/fault.ts';

export type ManualOptions = {
  keep?: string[];
  shrink?: string[];
  drop?: string[];
  others?: string;
  choices?: string;
};

const CHOICES = ['keep', 'shrink', 'drop'] as const;

/** A version by hand, exchange by exchange. */
export function manualOptions(command: Command): void {
  command
    .option(
      '--keep <exchanges>',
      'by hand: keep these exchanges in full (ids or numbers, comma-separated)',
      names,
    )
    .option(
      '--shrink <exchanges>',
      'by hand: compress these 10:1, to at most half of their full length',
      names,
    )
    .option('--drop <exchanges>', 'by hand: leave these out, except pinned keepits', names)
    .option('--others <choice>', 'by hand: keep (default), shrink or drop all other exchanges')
    .option('--choices <file>', 'the same from a JSON file: {"ex_...": "drop"}');
}

export function isManual({ keep, shrink, drop, others, choices }: ManualOptions): boolean {
  return [keep, shrink, drop, others, choices].some((it) => it !== undefined);
}

export async function manualRequest(
  options: ManualOptions,
  { keepit, ...request }: CompressRequest,
): Promise<ManualAsk> {
  const other = Object.keys(request);
  if (other.length > 0)
    throw new Fault(
      'usage',
      `--${other[0]} cannot be combined with --keep, --shrink, --drop, --others or --choices.`,
      {
        hint: 'These can be combined: --keep, --shrink, --drop, --others, --choices, --keepit, --part.',
      },
    );
  const choices: Record<string, Choice> = Object.assign(
    Object.create(null),
    options.choices === undefined ? {} : await readChoices(options.choices),
  );
  for (const choice of CHOICES) {
    for (const name of options[choice] ?? []) {
      if (choices[name] !== undefined && choices[name] !== choice)
        throw new Fault('usage', `${name} can't be ${choices[name]} and ${choice} at once.`);
      choices[name] = choice;
    }
  }
  const others = CHOICES.find((it) => it === options.others);
  if (options.others !== undefined && others === undefined)
    throw new Fault('usage', `--others can't be ${JSON.stringify(options.others.slice(0, 40))}.`, {
      hint: 'Choose from keep, shrink, drop.',
    });
  return { choices, ...withoutUndefined({ others, keepit }) };
}

function names(text: string, before: string[] = []): string[] {
  return [...before, ...text.split(',').map((name) => name.trim())].filter((name) => name !== '');
}

async function readChoices(path: string): Promise<Record<string, Choice>> {
  const text = await readFile(path, 'utf8').catch((cause) => {
    throw new Fault('unreadable', `${path} can't be read.`, { cause });
  });
  try {
    return z.record(z.string(), z.enum(CHOICES)).parse(JSON.parse(text));
  } catch (cause) {
    throw new Fault('bad-input', `${path} is not a list of choices.`, {
      hint: 'Expected JSON such as {"ex_0c1d2e3f4a5b": "drop", "4": "shrink"}.',
      cause,
    });
  }
}
