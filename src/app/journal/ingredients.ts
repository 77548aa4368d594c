import { type Ingredient, type MasterMark, newTo } from '../../core/journal/master-mark.ts';
import { fields, list, text, tuple } from '../../core/model/shape.ts';
import { readStored, type StoredKind } from '../read-stored.ts';
import type { World } from '../world.ts';
import type { Journal } from './place.ts';

/** What went into a master, one by one; the mark in the master itself has it by bucket where they are many. */
type Ingredients = { at: string; of: [name: string, hash: string][] };

export const INGREDIENTS: StoredKind<Ingredients> = {
  schema: fields({ at: text, of: list(tuple(text, text)) }),
  damaged: 'Until the next synthesis, Keepsake may count old summaries as new.',
  derived: true,
};

/** A journal, and the part of it that a master is about. */
type Scoped<K extends keyof Journal> = Pick<Journal, K> & { scope?: string | undefined };

/** The summaries that a master does not know as they are now: exactly where this archive made it, else by its mark. */
export async function freshAmong(
  world: World,
  { project, known, scope }: Scoped<'project' | 'known'>,
  mark: MasterMark | undefined,
  ingredients: Ingredient[],
): Promise<Ingredient[]> {
  const maybe = newTo(mark, ingredients);
  if (!mark?.bucketed || maybe.length === 0 || !known) return maybe;
  const { value: noted } = await readStored(world, project, fileOf(scope), INGREDIENTS);
  if (noted?.at !== mark.at) return maybe;
  const hashes = new Map(noted.of);
  return maybe.filter(({ name, hash }) => hashes.get(name) !== hash);
}

export async function noteIngredients(
  world: World,
  { project, scope }: Scoped<'project'>,
  at: string,
  ingredients: Ingredient[],
): Promise<void> {
  const noted: Ingredients = { at, of: ingredients.map(({ name, hash }) => [name, hash]) };
  await world.archive.files.write(project, fileOf(scope), `${JSON.stringify(noted)}\n`);
}

function fileOf(scope: string | undefined): string {
  return `journal/ingredients${scope === undefined ? '' : `-${scope}`}.json`;
}
