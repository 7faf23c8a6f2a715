import { scaleLinear } from 'd3-scale'
import type { Month } from '../data/activity.ts'

/** A drawing's size in pixels. Each chart is drawn in two sizes, so that its text is as large on a phone. */
export interface ChartSize {
  readonly width: number
  readonly height: number
}

export const chartSizes = {
  wide: { width: 760, height: 300 },
  narrow: { width: 340, height: 240 },
} as const satisfies Record<string, ChartSize>

interface Frame {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
  readonly y: readonly { readonly at: number; readonly value: number }[]
  /** The ticks of the months; each is the first day of one, ISO 8601. */
  readonly x: readonly { readonly at: number; readonly month: string }[]
}

const margin = { left: 44, right: 12, top: 12, bottom: 28 }

/** Of an axis label: an upper bound for the advance of digits and separators of usual fonts at 12 pixels. */
const characterWidth = 7.5
/** Between a label and the axis. */
export const labelGap = 8

/** A single bar is no wider than this. */
const widestBar = 96

export type Written = (value: number) => string

const rounded = (pixels: number): number => Math.round(pixels * 10) / 10

/** Waypoints over time as an area from zero on; a single month is a column. */
export function growthChart(months: readonly Month[], size: ChartSize, written: Written) {
  const values = months.map(({ waypoints }) => waypoints)
  const isColumn = months.length === 1
  const { frame, x, y } = framed(months, values, { size, written, tick: isColumn ? 0.5 : 0 })
  const { left, bottom } = frame
  if (isColumn) {
    const [from, to] = [x(0.5) - widestBar / 2, x(0.5) + widestBar / 2]
    const line = `M${from},${bottom}V${rounded(y(values[0] ?? 0))}H${to}V${bottom}`
    return { ...frame, line, area: `${line}Z` }
  }
  const line = `M${[0, ...values].map((value, index) => `${rounded(x(index))},${rounded(y(value))}`).join('L')}`
  return { ...frame, line, area: `${line}V${bottom}H${left}Z` }
}

export const series = ['created', 'edited', 'flagged', 'deleted', 'reviewed'] as const

export const seriesColours: Readonly<Record<(typeof series)[number], string>> = {
  created: 'var(--accent)',
  edited: 'var(--chart-2)',
  flagged: 'var(--verified)',
  deleted: 'var(--danger)',
  reviewed: 'var(--chart-4)',
}

/** Contributions a month as stacked bars. */
export function monthlyChart(months: readonly Month[], size: ChartSize, written: Written) {
  const totals = months.map((month) => series.reduce((sum, key) => sum + month[key], 0))
  const { frame, x, y } = framed(months, totals, { size, written, tick: 0.5 })
  const gap = months.length > 60 ? 0.1 : 0.3
  const width = Math.min((x(1) - x(0)) * (1 - gap), widestBar)
  return {
    ...frame,
    bars: months.flatMap((month, index) => {
      let below = 0
      return series.flatMap((key) => {
        const [from, to] = [y(below), y((below += month[key]))]
        if (from === to) return []
        const [left, height] = [rounded(x(index + 0.5) - width / 2), rounded(from - to)]
        const box = { x: left, y: rounded(to), width: rounded(width), height }
        return [{ series: key, month: month.month, ...box }]
      })
    }),
  }
}

/** The axis from zero on, a frame with room for its longest label, and the places of values and months; `tick` is where in a month a tick is. */
function framed(
  months: readonly Month[],
  values: readonly number[],
  { size: { width, height }, written, tick }: { size: ChartSize; written: Written; tick: number },
) {
  const [top, right, bottom] = [margin.top, width - margin.right, height - margin.bottom]
  const y = scaleLinear([0, Math.max(1, ...values)], [bottom, top]).nice(4)
  const ticks = y.ticks(4).filter(Number.isInteger)
  const longest = Math.max(...ticks.map((value) => written(value).length))
  const left = Math.max(margin.left, labelGap + Math.ceil(longest * characterWidth))
  const x = scaleLinear([0, Math.max(1, months.length)], [left, right])
  const room = Math.max(1, Math.floor((width - margin.left) / 95))
  const step = [1, 2, 3, 6, 12, 24, 60, 120].find((every) => months.length / every <= room) ?? 240
  const frame: Frame = {
    left,
    right,
    top,
    bottom,
    y: ticks.map((value) => ({ value, at: Math.round(y(value)) + 0.5 })),
    x: months
      .map(({ month }, index) => ({ month: `${month}-01`, at: Math.round(x(index + tick)) }))
      .filter(({ at }, index) => index % step === 0 && at < width - 40),
  }
  return { frame, x, y }
}
