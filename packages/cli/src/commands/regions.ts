import { command } from '../command.ts'
import { databaseOption, regionsOption, withRegistry } from '../settings.ts'
import { factLines } from '../table.ts'

export const regionsAssign = command({
  name: 'regions assign',
  summary: 'Finds the country and the place of every waypoint anew, from boundaries.',
  more: 'New and moved waypoints have their place at once; run this for those that were there before, and when the boundaries changed. The place stands beside the region that people gave, which is never changed; it is no edit by anybody, and in no entry of the log. Where FILE does not say the country, the borders of the world do that are part of the command; FILE says the smaller places.',
  options: {
    ...databaseOption,
    ...regionsOption,
    'dry-run': { type: 'flag', about: 'Reports how many places would change, and writes nothing' },
  },
  examples: [
    { line: 'openfountain regions assign', does: 'Finds the countries of all waypoints' },
    {
      line: 'openfountain regions assign --regions regions.geojson --dry-run',
      does: 'Says what the boundaries in that file would change',
    },
  ],
  async run(options, _positionals, context) {
    const { out } = context
    const { placesIn } = await import('@openfountain/exchange/places')
    const places = await placesIn({ regions: options.regions })
    const dryRun = options['dry-run']
    await withRegistry(options, dryRun ? 'read' : 'change', context, async (registry) => {
      const { totalWaypoints } = await registry.statistics()
      const bar = out.progress('Finding places')
      try {
        const assigned = await registry.waypoints.assignPlaces(places, {
          dryRun,
          onProgress: (waypoints) => bar.at(waypoints, totalWaypoints),
        })
        bar.end()
        out.result({ ...assigned, dryRun }, () => [
          dryRun ? 'Dry run: nothing was written. Assigning would give:' : 'Assigned:',
          ...factLines([
            ['waypoints', assigned.waypoints],
            ['with a place', assigned.placed],
            ['changed', assigned.changed],
          ]),
        ])
      } finally {
        bar.end()
      }
    })
  },
})
