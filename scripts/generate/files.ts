import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { engineFiles } from '../../site/engine/make.ts'
import { root } from '../packages/folders.ts'
import { commandPage } from './command-page.ts'
import { publicExports } from './exports.ts'
import { examples } from './examples.ts'
import { guides } from './guides.ts'
import { clientTypes, openApiDocument } from './openapi.ts'
import { proofs } from './proofs.ts'
import { reference } from './reference.ts'
import { routes } from './routes.ts'
import { selfHosting } from './self-hosting.ts'
import { dataPage, importingPage, specificationPage } from './tables.ts'
import { writePath } from './write-path.ts'

/** Folders of generated files alone: obsolete files in them are removed. */
const folders = ['docs/reference'] as const

/** The other files in the folder of the reference. */
const others = `
## Beside them

- [exports.md](exports.md): every name that can be imported
- [routes.md](routes.md): the HTTP API on one page
- [write-path.md](write-path.md): the files that a create and an imported row go through
- [proofs.md](proofs.md): which test proves which rule, from the titles of the tests
- [openapi.json](openapi.json): the HTTP API as OpenAPI 3.1, as every server has it at \`GET /api/openapi\`
- [the command](../cli.md), [the API in words](../api.md), [data files](../data.md), [the log](../log.md), [security](../security.md), [privacy](../privacy.md)

Everything in this folder is made by \`npm run generate\`.
`

/** Generates every generated file of the repository. @returns texts by path from the root */
export async function generateAll(): Promise<Map<string, string>> {
  const document = await openApiDocument()
  const pages = [...(await reference())].map(
    ([name, text]) => [`docs/reference/${name}`, name === 'README.md' ? text + others : text] as const,
  )
  const machine = selfHosting()
  const engine = [...(await engineFiles())].map(([path, text]) => [`site/engine/${path}`, text] as const)
  return new Map([
    ...pages,
    ...machine,
    ...engine,
    ['docs/reference/exports.md', publicExports()],
    ['docs/reference/openapi.json', document],
    ['docs/reference/routes.md', await routes()],
    ['docs/reference/proofs.md', await proofs()],
    ['docs/reference/write-path.md', await writePath()],
    // The document has the examples that were there before: after a change it is made a second time.
    ['packages/server/src/examples.json', await examples(document)],
    ['packages/client/src/api.ts', await clientTypes(document)],
    await commandPage(),
    await dataPage(),
    await importingPage(),
    await specificationPage(),
    ...(await guides(machine)),
  ])
}

/** The differences between the repository and the generated files, one line a file; empty when there are none. */
export async function differences(made: ReadonlyMap<string, string>): Promise<string[]> {
  const found: string[] = []
  for (const [path, text] of made) {
    const existing = await readFile(join(root, path), 'utf8').catch(() => undefined)
    if (existing === undefined) found.push(`${path} is missing`)
    else if (existing !== text) found.push(`${path} differs from line ${firstDifference(existing, text)} on`)
  }
  for (const path of await existingFiles()) if (!made.has(path)) found.push(`${path} is no longer generated`)
  return found
}

/** Writes the generated files, and removes obsolete ones. */
export async function writeAll(made: ReadonlyMap<string, string>): Promise<void> {
  for (const [path, text] of made) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
  for (const path of await existingFiles()) if (!made.has(path)) await rm(join(root, path))
}

async function existingFiles(): Promise<string[]> {
  const lists = folders.map(async (folder) => {
    const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true })
    return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  })
  return (await Promise.all(lists)).flat().map((path) => path.slice(root.length))
}

function firstDifference(existing: string, made: string): number {
  const lines = made.split('\n')
  const index = existing.split('\n').findIndex((line, at) => line !== lines[at])
  return (index === -1 ? existing.split('\n').length : index) + 1
}
