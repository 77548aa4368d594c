import type { Answer } from './call-api.ts';

export type { Job } from './call-api.ts';

export type Project = Answer<'get /api/memory/projects/{projectId}'>;
export type Session = Answer<'get /api/memory/sessions/{sessionId}'>;
export type SessionRow = Answer<'get /api/memory/sessions'>['items'][number];
export type Line = Answer<'get /api/memory/sessions/{sessionId}/messages'>['items'][number];
export type VersionList = Answer<'get /api/memory/sessions/{sessionId}/versions'>;
export type PartVersions = VersionList['parts'][number];
export type Version = PartVersions['versions'][number];
export type Outcomes = Answer<'post /api/memory/sessions/{sessionId}/versions'>;
export type Keepit = Answer<'get /api/memory/keepits'>['items'][number];
export type Exchange = Answer<'get /api/memory/sessions/{sessionId}/exchanges'>['items'][number];
export type Comparison = Answer<'get /api/memory/sessions/{sessionId}/compare'>;
