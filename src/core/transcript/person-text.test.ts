import { describe, expect, it } from 'vitest';
import type { TextEntry } from '../model/entry.ts';
import { personText } from './person-text.ts';

const typed = (text: string): TextEntry => ({
  id: 'a',
  ts: '2026-01-05T10:00:00.000Z',
  src: [0, 1],
  kind: 'user',
  origin: 'user',
  text,
});

describe('what a client sends for /init', () => {
  it.each([
    'Generate a file named AGENTS.md that serves as a contributor guide for this repository.\nKeep the document concise.',
    'You are an AI agent that brings the power of Gemini directly into the terminal. Your task is to analyze the current directory.\nAlways be concise.',
    'You are Qwen Code, an interactive CLI agent. Analyze the current directory and generate a comprehensive QWEN.md file.\nAlways be concise.',
    "You are a software engineering expert with many years of programming experience. Please explore the current project directory to understand the project's architecture.",
    'Please analyze this codebase and create an AGENTS.md file containing:\n1. Build commands',
    'Create or update `AGENTS.md` for this repository.\nNever guess.',
  ])('is a command, and no sentence of it is the user: %s', (text) => {
    expect(personText(typed(text))).toMatchObject({ kind: 'user', command: '/init', text: '' });
  });

  it('is not what a person asks in other words', () => {
    const text = 'Generate a file named AGENTS.md for new colleagues. Always keep it short.';
    expect(personText(typed(text))).toEqual(typed(text));
  });
});

describe('a button of an editor', () => {
  it.each([
    '@agent Try Again',
    '@agent Continue: "Continue to iterate?"',
    '@workspace /tests Accept: "It looks like you may not have tests set up in this repository yet."',
  ])('sends no words of the user: %s', (text) => {
    expect(personText(typed(text))).toMatchObject({ kind: 'notice', origin: 'machine' });
  });

  it.each([
    '@workspace /explain this: "What does it do?"',
    '@workspace fix the error: "It is not a function."',
    'Accept: "It looks like a test."',
  ])('is not what a person asks with a quotation: %s', (text) => {
    expect(personText(typed(text))).toMatchObject({ kind: 'user', text });
  });
});
