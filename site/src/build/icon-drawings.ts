import { readFile } from 'node:fs/promises'
import { vocabulary } from '@openfountain/core/vocabulary'
import type { Plugin } from 'esbuild'
import { readIcons } from './icons.ts'

/**
 * Inserts the kinds of fountains and their drawings into `map/card/icons.ts` when it is bundled. esbuild's `define` would
 * put them into the chunk that all entry points share: 5 kB for every visitor.
 */
export function iconDrawings(): Plugin {
  const kinds = Object.entries(vocabulary).flatMap(([key, { role }]) => (role === 'kind' ? [key] : []))
  const drawn = [...readIcons()].filter(([name]) => name === 'water' || kinds.includes(name))
  const definitions =
    `const MAP_ICONS = ${JSON.stringify(Object.fromEntries(drawn))}\n` +
    `const MAP_KINDS = ${JSON.stringify(kinds)}\n`
  return {
    name: 'icon-drawings',
    setup(plugin) {
      plugin.onLoad({ filter: /[/\\]map[/\\]card[/\\]icons\.[jt]s$/ }, async ({ path }) => ({
        loader: path.endsWith('.ts') ? 'ts' : 'js',
        contents: definitions + (await readFile(path, 'utf8')),
      }))
    },
  }
}
