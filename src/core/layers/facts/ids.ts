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

/** A message that was found and rejected. */
export function hitId(sessionId: string, src: number): string {
  return `h_${shortHash(`${sessionId}\0${src}`, 10)}`;
}

export function isHitId(id: string): boolean {
  return id.startsWith('h_');
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
