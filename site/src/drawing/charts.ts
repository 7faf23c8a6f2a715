import { scaleBand, scaleLinear, scaleUtc } from 'd3-scale'
import { area, curveMonotoneX, line, stack } from 'd3-shape'
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

/** A tick of an axis: its position and its value. */
export interface Tick {
  readonly at: number
  readonly value: number
}

/** A tick of a time axis; the value is the first day of a month, ISO 8601. */
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

/** Of an axis label: an upper bound for the advance of digits and separators of usual fonts at 12 pixels. */
const characterWidth = 7.5
/** Between a label and the axis. */
export const labelGap = 8

/** A single bar is no wider than this. */
const widestBar = 96

/** Formats a value for the axis, such as `10,000`. */
export type Written = (value: number) => string

/**
 * Waypoints over time as an area; the axis begins at zero. A single month is a column, because one value
 * makes no line.
 */
export function growthChart(months: readonly Month[], size: ChartSize, written: Written): GrowthChart {
  const most = Math.max(1, ...months.map(({ waypoints }) => waypoints))
  const { frame, y } = framed(most, size, written)
  const [only] = months
  if (only && months.length === 1) {
    const middle = (frame.left + frame.right) / 2
    const [from, to] = [middle - widestBar / 2, middle + widestBar / 2]
    const outline = `M${from},${frame.bottom}V${Math.round(y(only.waypoints) * 10) / 10}H${to}V${frame.bottom}`
    return { ...frame, area: `${outline}Z`, line: outline, x: [{ at: middle, month: `${only.month}-01` }] }
  }
  const points = months.map(({ month, waypoints }) => ({ at: endOf(month), waypoints }))
  const first = months[0] ? startOf(months[0].month) : new Date(0)
  const path = [{ at: first, waypoints: 0 }, ...points]
  const x = scaleUtc([first, points.at(-1)?.at ?? first], [frame.left, frame.right])
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
    x: monthTicks(months, size, (month) => x(startOf(month))),
  }
}

export const series = ['created', 'edited', 'flagged', 'deleted', 'reviewed'] as const
export type Series = (typeof series)[number]

/** The colours of the series in a drawing. */
export const seriesColours: Readonly<Record<Series, string>> = {
  created: 'var(--chart-1)',
  edited: 'var(--chart-2)',
  flagged: 'var(--chart-3)',
  deleted: 'var(--danger)',
  reviewed: 'var(--chart-4)',
}

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
export function monthlyChart(months: readonly Month[], size: ChartSize, written: Written): MonthlyChart {
  const most = Math.max(1, ...months.map((month) => series.reduce((sum, key) => sum + month[key], 0)))
  const { frame, y } = framed(most, size, written)
  const x = scaleBand(
    months.map(({ month }) => month),
    [frame.left, frame.right],
  ).paddingInner(months.length > 60 ? 0.1 : 0.3)
  const width = Math.min(x.bandwidth(), widestBar)
  const middleOf = (month: string) => (x(month) ?? 0) + x.bandwidth() / 2
  const stacked = stack<Month, Series>().keys(series)(months)
  return {
    ...frame,
    bars: stacked.flatMap((layer) =>
      layer.flatMap(([from, to], index) => {
        const month = months[index]?.month
        if (month === undefined || from === to) return []
        const bar = { x: middleOf(month) - width / 2, y: y(to), width, height: y(from) - y(to) }
        return [{ series: layer.key, month, ...rounded(bar) }]
      }),
    ),
    x: monthTicks(months, size, middleOf),
  }
}

/** The axis from zero to at least `most`, and a frame with room for its longest label. */
function framed(
  most: number,
  { width, height }: ChartSize,
  written: Written,
): { frame: Omit<Frame, 'x'>; y: ReturnType<typeof scaleLinear<number>> } {
  const [top, bottom] = [margin.top, height - margin.bottom]
  const y = scaleLinear([0, most], [bottom, top]).nice(4)
  const ticks = wholeTicks(y)
  const longest = Math.max(0, ...ticks.map(({ value }) => written(value).length))
  const left = Math.max(margin.left, labelGap + Math.ceil(longest * characterWidth))
  return { frame: { left, right: width - margin.right, top, bottom, y: ticks }, y }
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
