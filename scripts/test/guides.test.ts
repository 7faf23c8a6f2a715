/** @module-tag others */
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { loaded } from '../../packages/cli/src/command.ts'
import { commands as named } from '../../packages/cli/src/commands/all.ts'
import { blocksOf, localLinksOf, type Block } from '../packages/blocks.ts'
import { root } from '../packages/folders.ts'
import { commandLines, isRun, prepareGuide, runBlock, shownBy } from '../snippets/guide.ts'
import { compilerFindings } from '../snippets/program.ts'

// Most tests here wait for other programs, however long those take.
vi.setConfig({ testTimeout: 900_000, hookTimeout: 900_000 })

const commands = await loaded(named)
const names = (await readdir(join(root, 'docs/guides'))).filter((name) => name.endsWith('.md')).toSorted()
const guides = await Promise.all(
  names.map(async (name) => {
    const text = await readFile(join(root, 'docs/guides', name), 'utf8')
    return { name, text, blocks: blocksOf(text) }
  }),
)

const isFile = ({ words }: Block): boolean => words[0]?.includes('/') === true

test('there are eleven guides, and some show files', () => {
  expect(guides.flatMap(({ blocks }) => blocks.filter(isFile)).length).toBeGreaterThan(2)
  expect(names).toEqual([
    'accounts.md',
    'adding-a-language.md',
    'contributing-on-the-map.md',
    'embedding.md',
    'moderation.md',
    'publishing-the-site.md',
    'scaling.md',
    'self-hosting.md',
    'takedown.md',
    'using-the-data.md',
    'writing-an-export-format.md',
  ])
})

describe.each(guides)('docs/guides/$name', ({ text, blocks }) => {
  let folder: string
  let env: NodeJS.ProcessEnv
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'openfountain-guide-'))
    env = await prepareGuide(join(folder, 'work'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  test('shows files as they are in the repository', async () => {
    for (const { words, code } of blocks.filter(isFile)) {
      expect(code).toBe(await readFile(join(root, words[0] ?? ''), 'utf8'))
    }
  })

  test('links only to what is there', () => {
    const missing = localLinksOf(text).filter((target) => !existsSync(join(root, 'docs/guides', target)))
    expect(missing).toEqual([])
  })

  test('calls commands and options that exist', () => {
    const wrong = commandLines(text).filter((line) => {
      const command = commands.find(({ name }) => line === name || line.startsWith(`${name} `))
      const options = [...line.matchAll(/(?<=\s)--([a-z-]+)/gu)].map(([, option = '']) => option)
      return command === undefined || options.some((option) => !(option in command.options))
    })
    expect(wrong).toEqual([])
  })

  test('shows programs, queries and commands that work, one after another, and what they print', async () => {
    const work = join(folder, 'work')
    const failed: string[] = []
    for (const block of blocks.filter(isRun)) {
      const { code, stdout, stderr } = await runBlock(block, work, env)
      const shown = shownBy(block, blocks) ?? stdout
      if (code !== 0) failed.push(`line ${block.line} ended with ${code}\n${stdout}\n${stderr}`)
      else if (stdout !== shown) failed.push(`line ${block.line} printed\n${stdout}\nnot\n${shown}`)
    }
    expect(failed).toEqual([])
    expect(await compilerFindings(work)).toEqual([])
  })
})

test.each([
  'packages/core',
  'packages/exchange',
  'packages/server',
  'packages/fastify',
  'packages/accounts',
  'packages/postgres',
  'packages/cli',
  'site',
  'examples',
])('%s/README.md links only to what is there', async (packageFolder) => {
  const file = join(root, packageFolder, 'README.md')
  const links = localLinksOf(await readFile(file, 'utf8'))
  expect(links.filter((target) => !existsSync(join(dirname(file), target)))).toEqual([])
})
