import { walks } from '../walk.ts'

const listed = (files: readonly string[]) => files.map((file) => `- [\`${file}\`](../../${file})`).join('\n')

/** The page of the write path: the files that `npm run walk` lists. */
export async function writePath(): Promise<string> {
  const { create, importedRow } = await walks()
  return `# The write path

The files whose functions run in a process that is warm, as \`npm run walk\` lists them.
[CONTRIBUTING.md](../../CONTRIBUTING.md) says in which order to read them,
[the decision on the port](../decisions/0017-port-and-generators.md) why the path is so.

## A create: POST /api/waypoints, ${create.length} files

${listed(create)}

## An import of a file with one row, ${importedRow.length} files

${listed(importedRow)}
`
}
