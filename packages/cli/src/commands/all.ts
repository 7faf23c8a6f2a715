import type { Command, NamedCommand } from '../command.ts'

type Load = () => Promise<{ readonly commands: readonly Command[] }>

const credentials: Load = () => import('./credentials.ts')
const log: Load = () => import('./log.ts')
const moderation: Load = () => import('./moderation.ts')
const people: Load = () => import('./people.ts')
const personalData: Load = () => import('./personal-data.ts')
const sources: Load = () => import('./sources.ts')
const waypoints: Load = () => import('./waypoints.ts')

/** Commands with the modules that declare them, in the order of --help; after `=` another name. */
const modules: Readonly<Record<string, Load>> = {
  init: () => import('./init.ts'),
  serve: () => import('./serve.ts'),
  doctor: () => import('./doctor.ts'),
  import: () => import('./import.ts'),
  'import undo': sources,
  export: () => import('./export.ts'),
  mirror: () => import('./mirror.ts'),
  'source list': sources,
  'source remove': sources,
  'regions assign': sources,
  'site build': () => import('./site.ts'),
  publish: () => import('./publish.ts'),
  'waypoint show': waypoints,
  'waypoint approve': waypoints,
  'waypoint verify': waypoints,
  'waypoint remove': waypoints,
  'waypoint restore = moderate restore': waypoints,
  'review remove': waypoints,
  takedown: () => import('./takedown.ts'),
  'user invite': people,
  'user link': people,
  'user add': people,
  'user list': people,
  'user show': people,
  'user rename': people,
  'user sessions': people,
  'user moderator': people,
  'user grant': people,
  'user block': people,
  'user unblock': people,
  'user revert': moderation,
  'user export': personalData,
  'user erase = user remove': personalData,
  'moderate queue': moderation,
  'moderate acts': moderation,
  'moderate revert': moderation,
  'moderate revert-user': moderation,
  'moderate merge': moderation,
  'moderate undo': moderation,
  'moderate distinct': moderation,
  'moderate reports': moderation,
  'moderate report': moderation,
  'moderate reopen': moderation,
  'moderate erase-report': moderation,
  'session create': credentials,
  'session list': credentials,
  'session revoke': credentials,
  'token create': credentials,
  'token list': credentials,
  'token revoke': credentials,
  'log verify': log,
  'log head': log,
  'log show': () => import('./log-show.ts'),
  'log redact': log,
  'log scrub': log,
  'log erasures': log,
  'log erase-again': log,
  'log revert': moderation,
  stats: log,
  backup: () => import('./backup.ts'),
  restore: () => import('./restore.ts'),
  copy: () => import('./copy.ts'),
  completion: () => import('./completion.ts'),
}

/** Every command, in the order in which --help lists them. */
export const commands: readonly NamedCommand[] = Object.entries(modules).map(([names, load]) => {
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
})
