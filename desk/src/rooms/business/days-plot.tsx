import { useLocale } from '@integrity/shared-ui/web/spoken'
import { useEffect, useRef, useState } from 'react'
import UPlot, { type Axis, type Options, type Series } from 'uplot'
import { columnsOf, type Day, daySteps, rangeOf, wholeSteps } from './days.ts'

interface Props {
  /** What the picture shows, in a sentence. */
  readonly label: string
  readonly days: readonly Day[]
  readonly words: (value: number) => string
  /** Of a day that is pointed at. */
  readonly onDay: (day: Day | undefined) => void
}

const heightRem = 11

/** A colour of the design as it is now: the canvas is drawn again where the scheme changes. */
const tokenOf = (element: HTMLElement, token: `--${string}`) => () =>
  getComputedStyle(element).getPropertyValue(token).trim()

const remOf = (): number => Number.parseFloat(getComputedStyle(document.documentElement).fontSize)

const axesOf = (element: HTMLElement, { days, words }: Props, locale: string): Axis[] => {
  const rem = remOf()
  const dayWords = (n: number) =>
    days[n]
      ? new Date(days[n].date).toLocaleDateString(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' })
      : ''
  const looks = {
    font: `${0.8 * rem}px ${getComputedStyle(element).fontFamily}`,
    stroke: tokenOf(element, '--figure'),
    grid: { stroke: tokenOf(element, '--edge'), width: 1 },
    ticks: { show: false },
  }
  return [
    { ...looks, incrs: daySteps, space: 4.5 * rem, size: 2 * rem, values: (_, splits) => splits.map(dayWords) },
    {
      ...looks,
      incrs: wholeSteps,
      space: 2 * rem,
      size: 5 * rem,
      values: (_, splits) => splits.map((value) => words(Math.abs(value))),
    },
  ]
}

const optionsOf = (element: HTMLElement, props: Props, locale: string): Options => {
  const { days, onDay } = props
  const paths = UPlot.paths.bars?.({ size: [0.8, 60] })
  const bars = (token: `--${string}`): Series => ({
    ...(paths ? { paths } : {}),
    fill: tokenOf(element, token),
    points: { show: false },
  })
  return {
    width: element.clientWidth,
    height: heightRem * remOf(),
    legend: { show: false },
    cursor: { drag: { x: false, y: false }, points: { show: false }, y: false },
    scales: {
      x: { time: false, range: [-0.5, days.length - 0.5] },
      y: { range: (_, least, most) => rangeOf(least, most) },
    },
    axes: axesOf(element, props, locale),
    series: [{}, bars('--marked'), ...(days.some(({ down }) => down !== undefined) ? [bars('--figure')] : [])],
    hooks: { setCursor: [({ cursor: { idx } }) => onDay(typeof idx === 'number' ? days[idx] : undefined)] },
  }
}

const schemes = ['(prefers-color-scheme: dark)', '(forced-colors: active)'] as const

/** How often the colours of the page have changed. */
const useRepaints = (): number => {
  const [count, setCount] = useState(0)
  useEffect(() => {
    const again = () => setCount((before) => before + 1)
    const queries = schemes.map((query) => matchMedia(query))
    for (const query of queries) query.addEventListener('change', again)
    return () => {
      for (const query of queries) query.removeEventListener('change', again)
    }
  }, [])
  return count
}

/** Bars on a canvas, as wide as there is room. It is drawn again where the width or the colours of the page change. */
export const DaysPlot = (props: Props) => {
  const locale = useLocale()
  const place = useRef<HTMLDivElement>(null)
  const latest = useRef(props)
  latest.current = props
  const repaints = useRepaints()
  const { days } = props
  // biome-ignore lint/correctness/useExhaustiveDependencies: other words for a value come with another language alone
  useEffect(() => {
    const element = place.current
    if (!element) return undefined
    const own = { ...latest.current, onDay: (day: Day | undefined) => latest.current.onDay(day) }
    const plot = new UPlot(optionsOf(element, own, locale), columnsOf(days), element)
    const sizes = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: plot.height }))
    sizes.observe(element)
    return () => {
      sizes.disconnect()
      plot.destroy()
    }
  }, [days, locale, repaints])
  return <div ref={place} className="canvas" role="img" aria-label={props.label} />
}
