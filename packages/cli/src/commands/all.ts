import type { Command, NamedCommand } from '../command.ts'

type Load = () => Promise<{ readonly commands: readonly Command[] }>

const sources: Load = () => import('./sources.ts')
const waypoints: Load = () => import('./waypoints.ts')
const people: Load = () => import('./people.ts')
const moderation: Load = () => import('./moderation.ts')
const webhooks: Load = () => import('./webhooks.ts')
const credentials: Load = () => import('./credentials.ts')
const log: Load = () => import('./log.ts')

/** Modules with the commands that they declare, in the order of --help; after `=` another name. */
const modules: readonly (readonly [load: Load, ...names: string[]])[] = [
  [() => import('./init.ts'), 'init', 'setup'],
  [() => import('./serve.ts'), 'serve'],
  [() => import('./doctor.ts'), 'doctor'],
  [() => import('./import.ts'), 'import'],
  [sources, 'import undo'],
  [() => import('./export.ts'), 'export'],
  [() => import('./mirror.ts'), 'mirror'],
  [() => import('./witness.ts'), 'witness'],
  [sources, 'source list', 'source add', 'source set', 'source runs', 'source review', 'source remove'],
  [() => import('./harvest.ts'), 'harvest'],
  [sources, 'regions assign'],
  [() => import('./publish.ts'), 'site build', 'publish'],
  [() => import('./basemap.ts'), 'basemap add', 'basemap update', 'basemap remove'],
  [() => import('./plates.ts'), 'plates'],
  [() => import('./along.ts'), 'along'],
  [() => import('./osm.ts'), 'osm compare'],
  [waypoints, 'waypoint show', 'waypoint set', 'waypoint season', 'waypoint approve', 'waypoint verify'],
  [waypoints, 'waypoint remove', 'waypoint restore', 'review remove'],
  [() => import('./photos.ts'), 'photo add', 'photo list', 'photo remove', 'photo sweep'],
  [() => import('./takedown.ts'), 'takedown'],
  [people, 'user invite', 'user link', 'user add', 'user list', 'user show', 'user rename', 'user sessions'],
  [people, 'user moderator', 'user keeper', 'user grant', 'user block', 'user unblock'],
  [moderation, 'user revert'],
  [() => import('./personal-data.ts'), 'user export', 'user erase = user remove'],
  [moderation, 'moderate queue', 'moderate acts', 'moderate revert', 'moderate merge'],
  [moderation, 'moderate undo', 'moderate distinct', 'moderate reports', 'moderate report'],
  [moderation, 'moderate reopen', 'moderate erase-report'],
  [credentials, 'session create', 'session revoke', 'token create', 'token list', 'token revoke'],
  [webhooks, 'webhook add', 'webhook list', 'webhook test', 'webhook deliveries', 'webhook resend'],
  [webhooks, 'webhook rotate', 'webhook remove', 'webhook secret', 'deliveries resume'],
  [log, 'log verify', 'log head'],
  [() => import('./log-proofs.ts'), 'log key', 'log prove', 'log check'],
  [log, 'log show', 'log redact', 'log scrub', 'log erasures', 'log erase-again', 'stats'],
  [() => import('./backup.ts'), 'backup fetch', 'backup'],
  [() => import('./restore.ts'), 'restore'],
  [() => import('./backup.ts'), 'copy', 'upgrade'],
  [() => import('./completion.ts'), 'completion'],
]

export const commands: readonly NamedCommand[] = modules.flatMap(([load, ...all]) =>
  all.map((names) => {
    const [name = '', ...also] = names.split(' = ')
    return {
      name,
      also,
      async load() {
        const command = (await load()).commands.find((each) => each.name === name)
        if (command === undefined) throw new Error(`${name} is not declared`)
        return command
      },
    }
  }),
)
