import { memoryIndex } from '../made/memory-index.ts';
import { searchIndexContract } from './search-index.ts';

searchIndexContract('the index in memory', async () => ({ index: memoryIndex(), dispose: async () => {} }));
