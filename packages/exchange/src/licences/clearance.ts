import { judge, type Judgement } from './compatibility.ts'

/** Something that is to be published: a source, or what people contributed to the registry itself. */
export interface Origin {
  readonly name: string
  readonly license: string
  /** Waypoints that came from it. */
  readonly waypoints: number
}

/** A source that is in the way of a licence, and why. */
export interface Obstacle extends Origin, Judgement {}

/**
 * The origins whose data may not go out under `outgoing`. `permitted` names sources that gave their written
 * consent; it clears a verdict of `permission`, never a `no`.
 */
export function obstacles(
  origins: readonly Origin[],
  outgoing: string,
  permitted: readonly string[] = [],
): Obstacle[] {
  return origins.flatMap((origin) => {
    const judgement = judge(origin.license, outgoing)
    const clear =
      judgement.verdict === 'yes' || (judgement.verdict === 'permission' && permitted.includes(origin.name))
    return clear ? [] : [{ ...origin, ...judgement }]
  })
}

/** An export was refused because its records may not be published together under the chosen licence. */
export class LicenceConflict extends Error {
  override readonly name = 'LicenceConflict'
  readonly license: string
  readonly obstacles: readonly Obstacle[]

  constructor(license: string, found: readonly Obstacle[]) {
    const list = found
      .map(
        ({ name, license: own, waypoints, verdict, reason, source }) =>
          `  ${name}: ${own}, ${waypoints} waypoints, ${
            verdict === 'permission' ? 'needs permission' : 'not compatible'
          }. ${reason} (${source})`,
      )
      .join('\n')
    super(
      `These sources may not be published under ${license}:\n${list}\n` +
        'Choose another licence with --license, write one set of files a licence with --split-by-license, or ' +
        'name the sources that gave their written consent with --permitted.',
    )
    this.license = license
    this.obstacles = found
  }
}
