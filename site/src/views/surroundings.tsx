import type { Nameable } from '../naming.ts'
import type { Stages } from '../status/stage.ts'
import { usePage } from './on-page.tsx'
import { FountainName } from './parts.tsx'
import { ShortStatus } from './stage.tsx'

/** The plan around a fountain, and the fountains nearby. */
export interface SurroundingsData {
  readonly plan: {
    readonly width: number
    readonly height: number
    readonly rings: readonly { readonly metres: number; readonly radius: number }[]
  }
  readonly locator: {
    readonly width: number
    readonly height: number
    readonly x: number
    readonly y: number
    /** Address of its land. */
    readonly land: string
  }
  /** The nearest first, each with its place on the plan. */
  readonly nearby: readonly {
    readonly fountain: Nameable & { readonly id: number; readonly verified: boolean }
    readonly stages: Stages
    readonly metres: number
    readonly x: number
    readonly y: number
  }[]
}

export function Surroundings({
  data: { plan, locator, nearby },
  title,
}: {
  readonly data: SurroundingsData
  readonly title: string
}) {
  const page = usePage()
  const [left, top] = [-plan.width / 2, -plan.height / 2]
  const distance = (metres: number) => page.format.distance(page.strings, metres)
  return (
    <>
      <figure class="plan">
        <svg
          class="plan-map"
          viewBox={`${left} ${top} ${plan.width} ${plan.height}`}
          role="img"
          aria-label={page.text('waypoint.mapImage', { name: title })}
          data-t-label={page.key('waypoint.mapImage')}
          data-name={title}
        >
          <rect class="plan-ground" x={left} y={top} width={plan.width} height={plan.height} />
          <g class="plan-rings">
            {plan.rings.map(({ metres, radius }) => (
              <>
                <circle r={radius} />
                <text data-metres={metres} y={-radius}>
                  {distance(metres)}
                </text>
              </>
            ))}
          </g>
          <g class="plan-points">
            {nearby.map(({ fountain, x, y }, index) => (
              <>
                <circle cx={x} cy={y} class={fountain.verified ? 'verified' : undefined} />
                <text x={x} y={y}>
                  {index + 1}
                </text>
              </>
            ))}
          </g>
          <use class="plan-here" href={`${page.icons}#plan`} x={left} y={top} />
        </svg>
        <svg class="plan-locator" viewBox={`0 0 ${locator.width} ${locator.height}`} aria-hidden="true">
          <use href={locator.land} />
          <circle cx={locator.x} cy={locator.y} r="5" />
        </svg>
      </figure>
      {nearby.length > 0 && (
        <section class="section">
          <h2 {...page.said('waypoint.nearby')} />
          <ol class="nearby">
            {nearby.map(({ fountain, stages, metres }, index) => (
              <li key={fountain.id}>
                <span class={fountain.verified ? 'dot dot-verified' : 'dot'} aria-hidden="true">
                  {index + 1}
                </span>
                <a href={page.fountain(fountain.id, true)}>
                  <FountainName fountain={fountain} />
                </a>
                <ShortStatus stages={stages} />{' '}
                <span class="faint" data-metres={Math.round(metres)}>
                  {distance(metres)}
                </span>
              </li>
            ))}
          </ol>
        </section>
      )}
    </>
  )
}
