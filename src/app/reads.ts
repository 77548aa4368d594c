/**
 * What a command, a request or a tool call reads: its door brings that up to date once, before it runs.
 * `index`: what was said, as far as a search finds it. `sessions`: their records, too. `folder`: besides these all that
 * the agent wrote for this folder, or where nobody is in one for that of a project, whether hooks reported it or not.
 * `layersOf`: concepts and facts of a project, or of all.
 */
export type Reads =
  | 'nothing'
  | 'index'
  | 'sessions'
  | 'folder'
  | { folderOf: string | undefined }
  | { layersOf: string | undefined };
