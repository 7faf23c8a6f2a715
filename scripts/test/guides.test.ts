/** @module-tag others */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { effort } from '@openfountain/testing/effort'
import { newFolder } from '@openfountain/testing/folder'
import { loaded } from '../../packages/cli/src/command.ts'
import { commands as named } from '../../packages/cli/src/commands/all.ts'
import { blocksOf, type Block } from '../packages/blocks.ts'
import { root } from '../packages/folders.ts'
import { commandLines, isRun, prepareGuide, runBlock, shownBy } from '../snippets/guide.ts'
import { compilerFindings } from '../snippets/program.ts'

const commands = await loaded(named)
const names = (await readdir(join(root, 'docs/guides'))).filter((name) => name.endsWith('.md')).toSorted()
const guides = await Promise.all(
  names.map(async (name) => {
    const text = await readFile(join(root, 'docs/guides', name), 'utf8')
    return { name, text, blocks: blocksOf(text) }
  }),
)

/** Blocks of Python and R need packages that are installed with OPENFOUNTAIN_EFFORT=full alone. */
const isWanted = (block: Block): boolean =>
  isRun(block) && (effort === 'full' || !['py', 'r'].includes(block.language))

const isFile = ({ words }: Block): boolean => words[0]?.includes('/') === true

test('the guides are read, and some show files', () => {
  expect(guides.flatMap(({ blocks }) => blocks.filter(isFile)).length).toBeGreaterThan(2)
  expect(names).toContain('self-hosting.md')
})

test.each(guides)(
  'docs/guides/$name shows files as they are in the repository, and calls commands and options that exist',
  async ({ text, blocks }) => {
    for (const { words, code } of blocks.filter(isFile))
      expect(code).toBe(await readFile(join(root, words[0] ?? ''), 'utf8'))
    const wrong = commandLines(text).filter((line) => {
      const command = commands.find(({ name }) => line === name || line.startsWith(`${name} `))
      const options = [...line.matchAll(/(?<=\s)--([a-z-]+)/gu)].map(([, option = '']) => option)
      return command === undefined || options.some((option) => !(option in command.options))
    })
    expect(wrong).toEqual([])
  },
)

test.each(guides)(
  'docs/guides/$name shows programs, queries and commands that work, one after another, and what they print',
  async ({ blocks }) => {
    const work = join(newFolder(), 'work')
    const env = await prepareGuide(work)
    const failed: string[] = []
    for (const block of blocks.filter(isWanted)) {
      const { code, stdout, stderr } = await runBlock(block, work, env)
      const shown = shownBy(block, blocks) ?? stdout
      if (code !== 0) failed.push(`line ${block.line} ended with ${code}\n${stdout}\n${stderr}`)
      else if (stdout !== shown) failed.push(`line ${block.line} printed\n${stdout}\nnot\n${shown}`)
    }
    expect(failed).toEqual([])
    expect(await compilerFindings(work)).toEqual([])
  },
)
