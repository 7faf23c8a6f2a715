import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sectionsIn } from '../generate/proofs.ts'
import { root } from '../packages/folders.ts'

test('sections that test titles cite are in docs/specification.md, and each part of it is cited', async () => {
  const text = await readFile(join(root, 'docs/specification.md'), 'utf8')
  const sections = [...text.matchAll(/^##+ (\d(?:\.\d)?) /gmu)].map(([, section = '']) => section)
  const files = await Array.fromAsync(glob('packages/*/test/**/*.test.ts', { cwd: root }))
  const cited = new Set(
    (
      await Promise.all(files.map(async (file) => sectionsIn(await readFile(join(root, file), 'utf8'))))
    ).flat(),
  )
  expect([...cited].filter((section) => !sections.includes(section))).toEqual([])
  const wholes = new Set(sections.filter((section) => !section.includes('.')))
  const parts = new Set([...cited].map((section) => section.slice(0, 1)))
  // The first section introduces the service, the sixth lists its limits.
  expect([...wholes].filter((whole) => !parts.has(whole))).toEqual(['1', '6'])
})
