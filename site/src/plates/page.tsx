import { render } from 'preact'
import { elementBy } from '../client/element-by.ts'
import { startReader } from '../explore/page/reader.ts'
import { ReadingError } from '../explore/reading/ranged-file.ts'
import { readSelection } from '../explore/selection.ts'
import { fill, formatFor } from '../messages.ts'
import type { PlateConfig } from './config.ts'
import { Plates } from './plate.ts'

/** Shows the plates of the fountains that the address selects: `id`s, or what the page to explore data understands. */

const config: PlateConfig = JSON.parse(elementBy('#plates-config').textContent)
const found = elementBy('#plates-found')
const button = elementBy<HTMLButtonElement>('#plates-print')

async function show(): Promise<void> {
  found.textContent = config.loading
  const parameters = new URLSearchParams(location.search)
  const ask = startReader(() => undefined)
  await ask('open', config.files)
  await ask('choose', readSelection(parameters))
  const fountains = await ask('titles', parameters.getAll('id').map(Number))
  const { fountains: plural, none, registry, site, base, tag, words } = config
  found.textContent = fountains.length === 0 ? none : formatFor(tag).count(plural, fountains.length)
  render(
    <Plates {...{ fountains, registry, words }} site={site ?? `${location.origin}${base}`} />,
    elementBy('#plates'),
  )
  button.disabled = fountains.length === 0
}

button.addEventListener('click', () => print())
show().catch((error: unknown) => {
  if (!(error instanceof ReadingError)) throw error
  found.textContent = ''
  elementBy('#plates-problem').textContent = fill(config.problems[error.code], { reason: error.message })
})
