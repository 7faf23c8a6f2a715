import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { languages } from '@openfountain/core/internal'
import { CommandError, usage } from '../failure.ts'
import { inert } from '../inert.ts'
import { list, text } from '../options.ts'
import { addressOptions, pageAddress } from '../public-url.ts'
import { row } from '../row.ts'
import { databaseOption } from '../settings.ts'
import { rangeOf, rangeOptions } from './export.ts'

/** The ids that were given. @throws CommandError usage */
const idsOf = (given: readonly string[]): ReadonlySet<number> =>
  new Set(
    given.map((id) => {
      if (!/^[1-9]\d*$/u.test(id)) throw usage(`--id must be the number of a fountain, not ${inert(id)}`)
      return Number(id)
    }),
  )

const plates = row('plates', {
  summary: 'Writes plates to print, one page of A6 for each fountain, with a code that leads to its page.',
  more: 'The file is HTML with nothing beside it; a browser prints it, or saves it as PDF. People who scan the code see the fountain and can say whether it works.',
  options: {
    ...databaseOption,
    out: text('DIR', 'The folder for plates.html; created if it does not exist', { required: true }),
    'public-url': text('URL', 'Where browsers reach the site, such as https://fountains.example', {
      env: 'OPENFOUNTAIN_PUBLIC_URL',
      required: true,
    }),
    'site-base': addressOptions['site-base'],
    language: text('TAG', 'The language of the plates', { default: 'en', choices: languages }),
    id: list('ID', 'Only these fountains'),
    ...rangeOptions,
  },
  examples: {
    'plates --region Zürich --out plates --public-url https://fountains.example': 'Writes those of a region',
    'plates --id 12 --id 17 --language de --out plates --public-url https://fountains.example':
      'Writes two, in German',
  },
  async call(registry, options) {
    const { plateFile } = await import('@openfountain/site')
    const ids = idsOf(options.id)
    const fountains = []
    const { language } = options
    for await (const waypoint of registry.waypoints.each(await rangeOf(options)))
      if (ids.size === 0 || ids.has(waypoint.id)) fountains.push(waypoint)
    if (fountains.length === 0)
      throw new CommandError('notFound', 'no fountain matches: nothing was written', 'NOT_FOUND')
    const site = pageAddress(options).href
    const file = path.join(options.out, 'plates.html')
    await mkdir(options.out, { recursive: true })
    await writeFile(file, await plateFile({ fountains, site, registry: registry.name, language }))
    return { file, plates: fountains.length, language }
  },
  text: ({ file, plates: count }) => `${inert(file)} has ${count} ${count === 1 ? 'plate' : 'plates'}`,
})

export const commands = [plates]
