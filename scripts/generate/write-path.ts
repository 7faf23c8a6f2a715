import type { Endpoint } from '../../packages/server/src/endpoint.ts'
import ts from 'typescript'
import { Sources, type Declared } from './references.ts'
import { endpoints } from './routes.ts'
import { table } from './tables.ts'

/** The path of a write through core, derived from the references between its functions. */

const introduction = `How a write, here that of a new waypoint, gets from a call of the library to the disk, as the sources of
\`packages/core/src\` have it. An arrow leads from a function to what it refers to, directly or through others that are not
shown. [CONTRIBUTING.md](../../CONTRIBUTING.md) says in which order to read the files,
[the decision on the port](../decisions/0017-port-and-generators.md) why the path is so.`

/** The functions that the picture shows, by their room. A name that the code no longer has is an error. */
const stations = {
  nouns: ['Waypoints.create'],
  store: [
    'Store.write',
    'EngineStore.write',
    'WriteQueue',
    'transaction',
    'seeds',
    'store/loading.ts loading',
    'store/saving.ts save',
  ],
  'store/sqlite': ['WritingEngine.run', 'SqliteWriter', 'searchUpkeep'],
  decide: ['Job.decide', 'createWaypoint', 'contribution', 'passGate', 'earn'],
  log: [
    'script',
    'timeOfWrite',
    'KnownFacts',
    'commit',
    'leafData',
    'log/fold.ts fold',
    'Frontier',
    'totalsAfter',
  ],
} as const satisfies Record<string, readonly string[]>

/** Arrows without a reference: a class has the methods of an interface, or is given a function when it is made. */
const given: readonly (readonly [from: string, to: string])[] = [
  ['Store.write', 'EngineStore.write'],
  ['WriteQueue', 'WritingEngine.run'],
]

const source = 'packages/core/src/'

/** The declarations of core, and the references between them. */
class Graph {
  readonly sources = new Sources('packages/core/src/index.ts')
  readonly all = this.sources.declaredIn(source)
  readonly #byNode = new Map(this.all.map((one) => [one.node, one]))
  readonly #referred = new Map<Declared, readonly Declared[]>()

  /** @param wanted a name, with its file before it where several have it */
  named(wanted: string): Declared {
    const [name = '', file = ''] = wanted.split(' ').toReversed()
    const found = this.all.filter((one) => one.name === name && one.file.endsWith(file))
    if (found.length !== 1 || !found[0])
      throw new Error(
        `${source} declares ${wanted} ${found.length} times: correct scripts/generate/write-path.ts`,
      )
    return found[0]
  }

  /** The class of a member. */
  #ownerOf({ node }: Declared): Declared | undefined {
    return this.#byNode.get(node.parent)
  }

  /** The declarations that one refers to, and their implementations. */
  referredBy(from: Declared): readonly Declared[] {
    const known = this.#referred.get(from)
    if (known) return known
    const targets = this.sources.referredBy(from).flatMap((node) => this.#byNode.get(node) ?? [])
    const found = [...new Set([...targets, ...this.sources.implementing(from, this.all)])]
    this.#referred.set(from, found)
    return found
  }

  /** The declarations of a set that are reachable from one, in the order of discovery. */
  reached(from: Declared, among: ReadonlySet<Declared>): Declared[] {
    const seen = new Set([from])
    const found: Declared[] = []
    const follow = (one: Declared): void => {
      for (const target of this.referredBy(one)) {
        const owner = this.#ownerOf(target)
        const next = owner && among.has(owner) ? owner : target
        if (seen.has(next)) continue
        seen.add(next)
        if (among.has(next)) found.push(next)
        // A class's own references are not part of a write.
        else if (!ts.isClassDeclaration(next.node)) follow(next)
      }
    }
    follow(from)
    return found
  }
}

const idOf = (name: string) => name.replaceAll(/\W/gu, '_')

function picture(graph: Graph): string {
  const shown = new Set(
    Object.values(stations)
      .flat()
      .map((name) => graph.named(name)),
  )
  const rooms = Object.entries(stations).map(([room, names]) => [
    `  subgraph ${idOf(room)}["${room}"]`,
    ...names.map((name) => graph.named(name)).map(({ name }) => `    ${idOf(name)}["${name}"]`),
    '  end',
  ])
  const arrows = [...shown].flatMap((from) =>
    graph.reached(from, shown).map((to) => `  ${idOf(from.name)} --> ${idOf(to.name)}`),
  )
  const handed = given.map((pair) => `  ${pair.map((name) => idOf(graph.named(name).name)).join(' --> ')}`)
  return ['```mermaid', 'flowchart LR', ...rooms.flat(), ...arrows, ...handed, '```'].join('\n')
}

function stationTable(graph: Graph): string {
  const rows = Object.values(stations)
    .flat()
    .map((name) => graph.named(name))
    .map(({ name, file, about }) => [`\`${name}\``, `\`${file.slice(source.length)}\``, about])
  return table(['function', 'file', 'what it does'], rows)
}

/** A table of decisions: the entries that each can write, its caller and its endpoint. */
function decisionTable(graph: Graph, served: readonly Endpoint[]): string {
  const decisions = graph.all.filter(
    ({ file, node }) =>
      file.startsWith(`${source}decide/`) &&
      !/(?:contributor|deciding)\.ts$/u.test(file) &&
      ts.isFunctionDeclaration(node) &&
      node.asteriskToken,
  )
  // Methods of the nouns, of accounts and of imports, which everybody else goes through, and functions beside them.
  const own = graph.all.filter(({ file }) =>
    /^(?:(?:accounts|import)\/)?[^/]*$/u.test(file.slice(source.length)),
  )
  const callers = own.filter(({ name }) => name.includes('.'))
  const beside = new Set(own.filter(({ node }) => ts.isFunctionDeclaration(node)))
  const asked = (decision: Declared) => {
    const asks = (one: Declared) =>
      one === decision || (beside.has(one) && graph.referredBy(one).includes(decision))
    return callers.filter((caller) => graph.referredBy(caller).some(asks)).map(({ name }) => `\`${name}\``)
  }
  const rows = decisions.flatMap((decision) => {
    const by = asked(decision)
    if (by.length === 0) return []
    const entries = entriesOf(graph, decision)
    const routes = served.flatMap(({ decision: name, method, route }) =>
      name === decision.name ? [`\`${method} ${route}\``] : [],
    )
    return [[`\`${decision.name}\``, by.join(', '), routes.join(', '), entries.join(', ')]]
  })
  return table(['decision', 'asked by', 'endpoint', 'entries'], rows)
}

/** The entries that a decision can make, directly or through others of its folder, as `subject action`. */
function entriesOf(graph: Graph, decision: Declared): string[] {
  const seen = new Set<Declared>([decision])
  for (const one of seen)
    for (const next of graph.referredBy(one)) if (next.file.startsWith(`${source}decide/`)) seen.add(next)
  if ([...seen].some((one) => graph.sources.hasLiteral(one, 'sealed'))) return ['those of another registry']
  const rows = [...seen].flatMap((one) => [
    ...graph.sources.literals(one, ['subject', 'action']),
    ...graph.sources.calls(one, 'draftOf', [0, 2]),
  ])
  const actions = Map.groupBy(rows, ([, action]) => action)
  if (actions.size > manyActions) return ['the opposite of any']
  return [...actions]
    .flatMap(([action = '', all]) => {
      const subjects = new Set(all.map(([subject]) => subject))
      return subjects.size > manySubjects ? [`any ${action}`] : [...subjects].map((one) => `${one} ${action}`)
    })
    .toSorted()
}

/** More than a decision names itself: it then takes them from existing entries. */
const manyActions = 12
const manySubjects = 4

/** The page of the write path. */
export async function writePath(): Promise<string> {
  const graph = new Graph()
  return `# The write path

${introduction}

## From a call to the disk

${picture(graph)}

${stationTable(graph)}

## What each decision writes

A decision of \`decide/\` returns entries of the log, by subject and action, or is refused. Everything else that a write
changes is the fold of its entries; one without entries changes names, addresses or progress, which are kept beside the log.

${decisionTable(graph, await endpoints())}
`
}
