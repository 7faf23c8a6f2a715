import { readdir, readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { readIcons } from '../src/build/icons.ts'

const folder = new URL('../icons/lucide/', import.meta.url)

it('every icon is a drawing, every file of the folder is used, and Lucide’s licence lies beside them', async () => {
  const drawings = [...readIcons().values()]
  for (const drawing of drawings)
    expect(drawing).toMatch(/^<(?:path|circle|rect|line|ellipse|polyline|polygon) .*\/>$/u)
  const files = (await readdir(folder)).filter((file) => file.endsWith('.svg'))
  expect(files.length).toBeGreaterThan(50)
  for (const file of files) {
    const inner = (await readFile(new URL(file, folder), 'utf8')).replaceAll(/\s*\n\s*/gu, '')
    expect([file, drawings.some((drawing) => inner.includes(drawing))]).toEqual([file, true])
  }
  const licence = await readFile(new URL('LICENSE', folder), 'utf8')
  expect(licence).toMatch(/ISC License[^]*The MIT License/u)
})
