import { globSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { comparison } from '../measurement.ts'
import { processorTimes } from '../processor-times.ts'
import { figures, ratio } from '../report.ts'
import type { Bench, Reading, Row } from '../row.ts'

const script = (name: string): string => path.resolve(import.meta.dirname, '..', name)
const command = script('../../packages/cli/src/main.ts')
/** Below this repository, where projects find Astro. */
const cache = script('../../node_modules/.cache/openfountain-bench')

const mostRounds = 3
const fountains = 4000

/** The number of pages in a folder, and their mean size in bytes. */
function pagesIn(folder: string): { readonly pages: number; readonly bytes: number } {
  const sizes = globSync('**/*.html', { cwd: folder }).map((file) => statSync(path.join(folder, file)).size)
  const total = sizes.reduce((sum, size) => sum + size, 0)
  return { pages: sizes.length, bytes: Math.round(total / sizes.length) }
}

/** Writes an Astro project with as many pages of a size, whose content is made of their props by a template. */
function writeProject(root: string, { pages, bytes }: ReturnType<typeof pagesIn>): void {
  mkdirSync(path.join(root, 'src/pages/[id]'), { recursive: true })
  const item = 'A fountain of a town, with its days and its neighbours'
  writeFileSync(
    path.join(root, 'src/pages/[id]/index.astro'),
    `---
export const getStaticPaths = () =>
  Array.from({ length: ${pages} }, (_, id) => ({ params: { id: String(id) }, props: { items: ${Math.round(bytes / (item.length + 25))} } }))
const { id } = Astro.params
const { items } = Astro.props
---
<html lang="en"><head><title>{id}</title></head><body><ul>
{Array.from({ length: items }, (_, item) => <li class="item">${item} {item}</li>)}
</ul></body></html>
`,
  )
}

async function measure({ rounds, file, folder, report }: Bench): Promise<Reading[]> {
  const run = processorTimes(folder)
  const data = path.join(folder, 'export')
  await run(command, 'export', '--db', await file(fountains), '--out', data)
  mkdirSync(cache, { recursive: true })
  const project = mkdtempSync(path.join(cache, 'astro-'))
  try {
    const pairs: { a: number; b: number }[] = []
    let made = { pages: 0, bytes: 0 }
    // The first pair is a warm-up.
    for (let round = 0; round <= Math.min(rounds, mostRounds); round += 1) {
      // Each into a folder of its own, side by side: ext4 searches long for a place near files that were deleted just before.
      const [site, dist] = [path.join(project, `site-${round}`), path.join(project, `dist-${round}`)]
      const ours = await run(command, 'site', 'build', '--data', data, '--out', site, '--pages', 'all')
      made = pagesIn(site)
      if (round === 0) writeProject(project, made)
      const theirs = await run(script('plain-astro-child.ts'), project, dist)
      const plain = pagesIn(dist)
      report(
        `  ${made.pages} pages of ${made.bytes} bytes in ${figures(ours)} ms; plain Astro ${plain.pages} of ${plain.bytes} in ${figures(theirs)} ms of processor time`,
      )
      // Pages a second.
      if (round > 0) pairs.push({ a: (1000 * made.pages) / ours, b: (1000 * plain.pages) / theirs })
    }
    const title = `pages of a city of ${fountains.toLocaleString('en')} in all languages, a second`
    const against = 'plain Astro with as many pages of the same size: processor time'
    return [ratio(title, { against, value: comparison(pairs), atLeast: 0.5 }, '/s')]
  } finally {
    rmSync(project, { recursive: true, force: true })
  }
}

/** The whole build of a site from an export, and as many pages of the same size by Astro alone. */
export const pagesRow: Row = { name: 'pages', measure }
