import { describe, expect, it } from 'vitest'
import { columnsOf, mostOf, rangeOf, wholeSteps } from './days.ts'

const date = '2026-11-28'

describe('the days of a plot', () => {
  it('have a column for what came, and one below the line for what went', () => {
    const days = [
      { date, up: 4, down: 0 },
      { date, up: 0, down: 9 },
    ]
    expect(columnsOf(days)).toEqual([
      [0, 1],
      [4, 0],
      [0, -9],
    ])
    expect(mostOf(days)).toBe(9)
  })

  it('have one column where nothing can go', () => {
    expect(columnsOf([{ date, up: 4 }])).toEqual([[0], [4]])
    expect(mostOf([])).toBe(0)
  })

  it('always show the line at nothing, and have a height where there is nothing at all', () => {
    expect(rangeOf(0, 0)).toEqual([0, 1])
    expect(rangeOf(3, 9)).toEqual([0, 9])
    expect(rangeOf(-4, 9)).toEqual([-4, 9])
  })

  it('are counted in whole steps', () => {
    expect(wholeSteps.slice(0, 5)).toEqual([1, 2, 5, 10, 20])
  })
})
