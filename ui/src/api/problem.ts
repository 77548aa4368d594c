import type { Problem } from '../../../src/entrypoints/http/problem.ts';
import { hintText } from '../text/hint-text.ts';

/** What the server refused, in words a person can act on. */
export class ApiProblem extends Error {
  readonly code: Problem['code'] | 'unreachable';
  readonly hint: string | undefined;
  readonly choices: NonNullable<Problem['choices']>;

  constructor(
    problem: Pick<Problem, 'detail'> & Partial<Omit<Problem, 'code'>> & { code: ApiProblem['code'] },
  ) {
    super(hintText(problem.detail));
    this.code = problem.code;
    this.hint = problem.hint === undefined ? undefined : hintText(problem.hint);
    this.choices = problem.choices ?? [];
  }
}

/** Whatever was thrown, as a problem. */
export function problemFrom(error: unknown): ApiProblem {
  if (error instanceof ApiProblem) return error;
  const detail = error instanceof Error ? error.message : String(error);
  return new ApiProblem({
    code: 'internal',
    detail,
    hint: 'Reload the page. If it comes again, the log of Keepsake says more.',
  });
}

export function isAborted(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}

export async function problemOfResponse(response: Response): Promise<ApiProblem> {
  const text = await response.text();
  try {
    const read: unknown = JSON.parse(text);
    if (isProblem(read)) return new ApiProblem(read);
  } catch {
    // Not from the API itself: known by its status.
  }
  return new ApiProblem({
    code: 'internal',
    detail: `The server answered with an error (${response.status}).`,
    hint: 'Try again. If it fails again, open Maintenance: its checks show what is wrong.',
  });
}

function isProblem(value: unknown): value is Problem {
  return typeof value === 'object' && value !== null && 'code' in value && 'detail' in value;
}
