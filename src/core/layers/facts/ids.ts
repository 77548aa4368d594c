import { shortHash } from '../../model/ids.ts';

/** The same words give the same fact, whatever their case and marks. */
export function statementId(kind: string, text: string): string {
  const plain =
    text
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}_]+/gu)
      ?.join(' ') ?? text;
  return kind === 'rule' ? `r_${shortHash(plain, 10)}` : `m_${shortHash(`${kind} ${plain}`, 10)}`;
}

export function problemId(command: string, error: string): string {
  return `s_${shortHash(`${command}\0${error}`, 10)}`;
}

export function coreLogicId(concept: string): string {
  return `cl_${shortHash(concept, 10)}`;
}

export function patternId(command: string): string {
  return `m_${shortHash(`pattern ${command}`, 10)}`;
}
