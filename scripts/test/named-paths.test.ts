import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { newFolder } from '@openfountain/testing/folder'
import { root } from '../packages/folders.ts'
import { deadPaths } from '../packages/named-paths.ts'
import mutations from '../mutations.json' with { type: 'json' }

/** Files that their reader, or a test, writes. */
const written = new Set('lib/accounts.ts api.d.ts example-1.ts example-2.ts pl.ts ar.ts pt-BR.ts'.split(' '))

test('documents and comments name files and folders that exist', async () => {
  const dead = await deadPaths(root)
  expect(dead.filter(({ path }) => !written.has(path))).toEqual([])
})

test.each(mutations)('the mutation of the rule that $rule finds its text', async ({ file, from }) => {
  expect((await readFile(join(root, file), 'utf8')).split(from)).toHaveLength(2)
})

test('paths that do not exist are found in prose, links and comments, and nowhere else', async () => {
  const folder = newFolder()
  const files = {
    'docs/guide.md':
      'See `packages/core/src/gone.ts`, packages/core/src/here.ts, [there](lost.md) and `scripts/*.ts`.\n' +
      'https://example.org/packages/core/src/elsewhere.ts\n```sh\ncat packages/core/src/shown.ts\n```',
    'packages/core/src/here.ts':
      "import './imported.ts'\n// As in here.ts and in old-name.ts, described in docs/guide.md and docs/lost-too.md.",
  }
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  expect(await deadPaths(folder)).toEqual([
    { file: 'docs/guide.md', path: 'lost.md' },
    { file: 'docs/guide.md', path: 'packages/core/src/gone.ts' },
    { file: 'docs/guide.md', path: 'scripts/*.ts' },
    { file: 'packages/core/src/here.ts', path: 'old-name.ts' },
    { file: 'packages/core/src/here.ts', path: 'docs/lost-too.md' },
  ])
})
