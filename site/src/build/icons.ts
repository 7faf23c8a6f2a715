import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import files from './icons.json' with { type: 'json' }
import type names from './icons.json'

export type IconName = keyof typeof names

/** Drawings by meaning, in a grid of 24 × 24 with strokes of 2: `lucide` has files of Lucide 1.62 with their licence, `own` what it lacks. */
const folder = new URL('../../icons/', import.meta.url)

interface Drawing {
  readonly box: string
  readonly inner: string
}

function drawingIn(file: string): Drawing {
  const svg = readFileSync(new URL(`${file}.svg`, folder), 'utf8')
  const [, box, inner] = /<svg[^>]*viewBox="([^"]*)"[^>]*>(.*)<\/svg>/su.exec(svg) ?? []
  if (box === undefined || inner === undefined) throw new Error(`${file}.svg is not an SVG drawing`)
  return { box, inner: inner.replaceAll(/\s*\n\s*/gu, '') }
}

export const readIcons = (): ReadonlyMap<string, string> =>
  new Map(Object.entries(files).map(([name, file]) => [name, drawingIn(file).inner]))

/** Drawings that are no icons: each has its own size, and inherits its colours. `plan` is the marker in its middle, and north. */
const others = { logo: 'own/logo', plan: 'own/plan' }

export function iconSprite(): string {
  const symbols = Object.entries({ ...files, ...others }).map(([name, file]) => {
    const { box, inner } = drawingIn(file)
    return `<symbol id="${name}" viewBox="${box}">${inner}</symbol>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg">${symbols.join('')}</svg>\n`
}

/** Writes the drawings of pages into one shared file below `outDir`, and returns its path there. */
export async function writeIcons(outDir: string): Promise<string> {
  const sprite = iconSprite()
  const path = `_astro/icons-${createHash('sha256').update(sprite).digest('hex').slice(0, 8)}.svg`
  await mkdir(join(outDir, '_astro'), { recursive: true })
  await writeFile(join(outDir, path), sprite)
  return path
}
