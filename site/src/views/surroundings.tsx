import type { Waypoint } from '../data/records.ts'
import type { PlanDrawing } from '../drawing/plan.ts'
import type { Nameable } from '../naming.ts'
import type { Stages } from '../status/stage.ts'
import { usePage } from './on-page.tsx'
import { FountainName } from './parts.tsx'
import { ShortStatus } from './stage.tsx'

/** The plan around a fountain, and the fountains nearby. */
export interface SurroundingsData {
  readonly plan: Pick<PlanDrawing, 'width' | 'height' | 'rings'>
  /** The nearest first, each with its place on the plan. */
  readonly nearby: readonly {
    readonly fountain: Nameable & Pick<Waypoint, 'id' | 'verified' | 'access' | 'drinkable'>
    readonly stages: Stages
    readonly metres: number
    readonly x: number
    readonly y: number
  }[]
}

export function Surroundings({
  data: { plan, nearby },
  title,
}: {
  readonly data: SurroundingsData
  readonly title: string
}) {
  const page = usePage()
  return (
    <>
      <figure class="surface plan">
        <PlanMap
          plan={plan}
          points={nearby.map(({ fountain: { verified }, x, y }) => ({ verified, x, y }))}
          label={page.text('waypoint.mapImage', { name: title })}
          labelKey={page.key('waypoint.mapImage')}
          title={title}
        />
      </figure>
      {nearby.length > 0 && (
        <section class="section">
          <h2 {...page.said('waypoint.nearby')} />
          <ol class="grid nearby">
            {nearby.map(({ fountain, stages, metres }, index) => (
              <li key={fountain.id}>
                <span class={fountain.verified ? 'dot dot-verified' : 'dot'} aria-hidden="true">
                  {index + 1}
                </span>
                <a href={page.fountain(fountain.id, true)}>
                  <FountainName fountain={fountain} />
                </a>
                <ShortStatus stages={stages} fountain={fountain} />{' '}
                <span class="faint" data-metres={Math.round(metres)}>
                  {page.distance(metres)}
                </span>
              </li>
            ))}
          </ol>
        </section>
      )}
    </>
  )
}

/** A plan of a place in the middle, with numbered places around it. */
export function PlanMap({
  plan: { width, height, rings },
  points,
  label,
  labelKey,
  title,
}: {
  readonly plan: SurroundingsData['plan']
  readonly points: readonly { readonly x: number; readonly y: number; readonly verified?: boolean }[]
  readonly label: string
  readonly labelKey?: string | undefined
  readonly title: string
}) {
  const page = usePage()
  const [left, top] = [-width / 2, -height / 2]
  return (
    <svg
      class="plan-map"
      viewBox={`${left} ${top} ${width} ${height}`}
      role="img"
      aria-label={label}
      data-t-label={labelKey}
      data-name={title}
    >
      <rect class="plan-ground" x={left} y={top} width={width} height={height} />
      <g class="plan-rings">
        {rings.map(({ radius }) => (
          <circle r={radius} />
        ))}
      </g>
      <g class="plan-points">
        {points.map(({ verified, x, y }, index) => (
          <>
            <circle cx={x} cy={y} class={verified ? 'verified' : undefined} />
            <text x={x} y={y}>
              {index + 1}
            </text>
          </>
        ))}
      </g>
      <g class="plan-rings">
        {rings.map(({ metres, radius }) => (
          <text data-metres={metres} y={-radius}>
            {page.distance(metres)}
          </text>
        ))}
      </g>
      <use class="plan-here" href={`${page.icons}#plan`} x={left} y={top} />
    </svg>
  )
}
