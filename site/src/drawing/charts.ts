import { scaleBand, scaleLinear, scaleUtc } from 'd3-scale'
import { area, curveMonotoneX, line, stack } from 'd3-shape'
import type { Month } from '../data/activity.ts'

/** A drawing's size in pixels. Each chart is drawn twice, so that its text is as large on a phone. */
export interface ChartSize {
  readonly width: number
  readonly height: number
}

export const chartSizes = {
  wide: { width: 760, height: 300 },
  narrow: { width: 340, height: 240 },
} as const satisfies Record<string, ChartSize>

/** A mark on an axis: where it is and the value it stands for. */
export interface Tick {
  readonly at: number
  readonly value: number
}

/** A time axis's mark; the value is the first day of a month, ISO 8601. */
export interface MonthTick {
  readonly at: number
  readonly month: string
}

interface Frame {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
  readonly y: readonly Tick[]
  readonly x: readonly MonthTick[]
}

export interface GrowthChart extends Frame {
  readonly area: string
  readonly line: string
}

const margin = { left: 44, right: 12, top: 12, bottom: 28 }

/** Waypoints over time as an area; the axis begins at zero. */
export function growthChart(months: readonly Month[], size: ChartSize): GrowthChart {
  const frame = edges(size)
  const points = months.map(({ month, waypoints }) => ({ at: endOf(month), waypoints }))
  const first = months[0] ? startOf(months[0].month) : new Date(0)
  const path = [{ at: first, waypoints: 0 }, ...points]
  const x = scaleUtc([first, points.at(-1)?.at ?? first], [frame.left, frame.right])
  const y = scaleLinear(
    [0, Math.max(1, ...points.map(({ waypoints }) => waypoints))],
    [frame.bottom, frame.top],
  ).nice(4)
  return {
    ...frame,
    area:
      area<(typeof path)[number]>(
        (d) => x(d.at),
        frame.bottom,
        (d) => y(d.waypoints),
      )
        .curve(curveMonotoneX)
        .digits(1)(path) ?? '',
    line:
      line<(typeof path)[number]>(
        (d) => x(d.at),
        (d) => y(d.waypoints),
      )
        .curve(curveMonotoneX)
        .digits(1)(path) ?? '',
    y: wholeTicks(y),
    x: monthTicks(months, size, (month) => x(startOf(month))),
  }
}

export const series = ['created', 'edited', 'flagged', 'deleted', 'reviewed'] as const
export type Series = (typeof series)[number]

export interface MonthlyChart extends Frame {
  readonly bars: readonly {
    readonly series: Series
    readonly month: string
    readonly x: number
    readonly y: number
    readonly width: number
    readonly height: number
  }[]
}

/** Contributions a month as stacked bars. */
export function monthlyChart(months: readonly Month[], size: ChartSize): MonthlyChart {
  const frame = edges(size)
  const x = scaleBand(
    months.map(({ month }) => month),
    [frame.left, frame.right],
  ).paddingInner(months.length > 60 ? 0.1 : 0.3)
  const most = Math.max(1, ...months.map((month) => series.reduce((sum, key) => sum + month[key], 0)))
  const y = scaleLinear([0, most], [frame.bottom, frame.top]).nice(4)
  const stacked = stack<Month, Series>().keys(series)(months)
  return {
    ...frame,
    bars: stacked.flatMap((layer) =>
      layer.flatMap(([from, to], index) => {
        const month = months[index]?.month
        if (month === undefined || from === to) return []
        const bar = { x: x(month) ?? 0, y: y(to), width: x.bandwidth(), height: y(from) - y(to) }
        return [{ series: layer.key, month, ...rounded(bar) }]
      }),
    ),
    y: wholeTicks(y),
    x: monthTicks(months, size, (month) => (x(month) ?? 0) + x.bandwidth() / 2),
  }
}

function edges({ width, height }: ChartSize): Pick<Frame, 'left' | 'right' | 'top' | 'bottom'> {
  return { left: margin.left, right: width - margin.right, top: margin.top, bottom: height - margin.bottom }
}

function wholeTicks(y: ReturnType<typeof scaleLinear<number>>): Tick[] {
  return y
    .ticks(4)
    .filter(Number.isInteger)
    .map((value) => ({ value, at: Math.round(y(value)) + 0.5 }))
}

function monthTicks(
  months: readonly Month[],
  { width }: ChartSize,
  place: (month: string) => number,
): MonthTick[] {
  const room = Math.max(1, Math.floor((width - margin.left) / 95))
  const step = [1, 2, 3, 6, 12, 24, 60, 120].find((every) => months.length / every <= room) ?? 240
  return months
    .filter((_, index) => index % step === 0)
    .map(({ month }) => ({ month: `${month}-01`, at: Math.round(place(month)) }))
    .filter(({ at }) => at < width - 40)
}

function startOf(month: string): Date {
  return new Date(`${month}-01T00:00:00Z`)
}

function endOf(month: string): Date {
  const date = startOf(month)
  date.setUTCMonth(date.getUTCMonth() + 1)
  return date
}

function rounded<Bar extends Record<string, number>>(bar: Bar): Bar {
  return Object.fromEntries(
    Object.entries(bar).map(([key, value]) => [key, Math.round(value * 10) / 10]),
  ) as Bar
}
