import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Drawn for this site in Lucide's grid (24 × 24, stroke 2), because Lucide has no such icons. */
const own = {
  tap: '<path d="M3 8h8a6 6 0 0 1 6 6v1h-5v-1a1 1 0 0 0-1-1H3Z"/><path d="M9 8V4"/><path d="M6 4h6"/><path d="M14.500 18.500v.01"/><path d="M14.500 21.500v.01"/>',
  bubbler:
    '<path d="M5 21h14"/><path d="M9 21v-6h6v6"/><path d="M6 15h12"/><path d="M10 11.5C10 6 16 5 16.500 10.500"/><path d="M13 3.200v.01"/><path d="M17.500 5.500v.01"/>',
  'bottle-filler':
    '<path d="M5 3h9a3 3 0 0 1 3 3v1"/><path d="M17 10v.01"/><path d="M9 12h4v2l1.500 2v4a1 1 0 0 1-1 1h-5a1 1 0 0 1-1-1v-4L9 14Z"/><path d="M7.500 17.500h7"/>',
  well: '<path d="M4 9 12 3l8 6"/><path d="M6 8v6"/><path d="M18 8v6"/><path d="M12 3v8"/><path d="M4 14h16l-1.500 7h-13Z"/><path d="M10 11h4v1a2 2 0 0 1-4 0Z"/>',
  'hand-pump':
    '<path d="M10 21V8a2 2 0 0 1 4 0v13"/><path d="M8 21h8"/><path d="M12 6V4"/><path d="M12 4 4 7"/><path d="M14 10h3a1 1 0 0 1 1 1v1"/><path d="M18 15.500v.01"/>',
  fountain:
    '<path d="M4 15h16l-1 3a3 3 0 0 1-2.800 2H7.800A3 3 0 0 1 5 18Z"/><path d="M12 15V6"/><path d="M12 6c0-2.500 4-3 4 1.500V9"/><path d="M12 6c0-2.500-4-3-4 1.500V9"/><path d="M8 12v.01"/><path d="M16 12v.01"/>',
  wallace:
    '<path d="M12 2v1"/><path d="M7 7a5 4 0 0 1 10 0Z"/><path d="M9 7v7"/><path d="M15 7v7"/><path d="M12 10v.01"/><path d="M12 13v.01"/><path d="M6 14h12"/><path d="M8.500 14 10 21"/><path d="M15.500 14 14 21"/><path d="M7 21h10"/>',
  works: '<circle cx="12" cy="12" r="9"/><path d="m8 12 3 3 5-6"/>',
  reported: '<path d="M5 21V4h13l-3 4 3 4H5"/>',
  private: '<circle cx="12" cy="12" r="9"/><path d="M7 12h10"/>',
} as const

/** Drawings that are no icons: each has its own size, and inherits its colours. */
const drawings = {
  logo: [
    '0 0 32 32',
    '<path stroke="none" d="M16 2.500c4.600 6.600 9.500 11.200 9.500 17.200a9.500 9.500 0 0 1-19 0C6.500 13.700 11.400 9.100 16 2.500Z"/><path d="M10 20.500c2 0 2-1.600 4-1.600s2 1.600 4 1.600 2-1.600 4-1.600" fill="none" stroke-width="2" stroke-linecap="round"/>',
  ],
  // The marker in the middle of a plan, and the north arrow.
  plan: [
    '-320 -200 640 400',
    '<path stroke-width="3" d="M0-30c8.500 12 17 20 17 31a17 17 0 0 1-34 0c0-11 8.500-19 17-31Z"/><path fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" d="M-296-156v-24m-7 8 7-8 7 8"/>',
  ],
} as const

/** Icons by meaning, each the name of a Lucide icon in `icons/lucide`. */
const lucide = {
  spring: 'waves',
  sparkling: 'bubbles',
  chilled: 'thermometer-snowflake',
  filtered: 'funnel',
  wheelchair: 'accessibility',
  'dog-bowl': 'dog',
  'low-spout': 'baby',
  seasonal: 'sun-snow',
  'all-year': 'calendar-check',
  'always-open': 'clock',
  indoor: 'house',
  covered: 'umbrella',
  free: 'hand-heart',
  fee: 'coins',
  lit: 'lightbulb',
  bench: 'armchair',
  tested: 'flask-conical',
  amenity: 'tag',
  water: 'droplet',
  verified: 'badge-check',
  unverified: 'circle-dashed',
  listed: 'clipboard-list',
  broken: 'triangle-alert',
  off: 'calendar-off',
  approved: 'check',
  waiting: 'hourglass',
  star: 'star',
  map: 'map',
  pin: 'map-pin',
  region: 'map-pinned',
  directions: 'navigation',
  nearMe: 'locate-fixed',
  centre: 'crosshair',
  search: 'search',
  filters: 'sliders-horizontal',
  list: 'list',
  close: 'x',
  menu: 'menu',
  share: 'share-2',
  copy: 'copy',
  external: 'external-link',
  download: 'download',
  offline: 'cloud-download',
  isOffline: 'cloud-off',
  language: 'languages',
  system: 'sun-moon',
  light: 'sun',
  dark: 'moon',
  history: 'history',
  created: 'plus',
  edited: 'pencil',
  unapproved: 'undo-2',
  deleted: 'trash-2',
  user: 'user-round',
  users: 'users-round',
  trophy: 'trophy',
  statistics: 'chart-column-increasing',
  data: 'database',
  about: 'info',
  rules: 'book-open',
  feed: 'rss',
  code: 'code-xml',
  changes: 'list-clock',
  license: 'scale',
  photo: 'camera',
  maintainer: 'wrench',
  calendar: 'calendar-days',
  back: 'chevron-left',
  next: 'chevron-right',
  down: 'chevron-down',
  zoomIn: 'plus',
  zoomOut: 'minus',
  north: 'compass',
  arrow: 'arrow-up',
  checksum: 'shield-check',
} as const

/** The meaning of an icon. */
export type IconName = keyof typeof own | keyof typeof lucide

/** Whether there is a drawing of this name. */
export const isIcon = (name: string): name is IconName =>
  Object.hasOwn(own, name) || Object.hasOwn(lucide, name)

/** The files of Lucide 1.62, unchanged, with their licence. */
const folder = new URL('../../icons/lucide/', import.meta.url)

/** The inner markup of every icon, by its meaning. */
export function readIcons(): ReadonlyMap<string, string> {
  const icons = new Map<string, string>(Object.entries(own))
  for (const [name, drawing] of Object.entries(lucide)) {
    const file = new URL(`${drawing}.svg`, folder)
    const inner = /<svg[^>]*>(.*)<\/svg>/su.exec(readFileSync(file, 'utf8'))?.[1]
    if (inner === undefined) throw new Error(`The icon ${file.pathname} is not an SVG drawing`)
    icons.set(name, inner.replaceAll(/\s*\n\s*/gu, ''))
  }
  return icons
}

/** The drawings of pages in one SVG. Each is a symbol with its meaning as id. */
export function iconSprite(): string {
  const symbols = [...readIcons()].map(
    ([name, inner]) => `<symbol id="${name}" viewBox="0 0 24 24">${inner}</symbol>`,
  )
  for (const [name, [box, inner]] of Object.entries(drawings))
    symbols.push(`<symbol id="${name}" viewBox="${box}">${inner}</symbol>`)
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
