import { expect, it } from 'vitest'
import { GreenhouseTokens } from './greenhouse.ts'

const tokensGiven = (made: string[]) => () => {
  made.push(`token-${made.length + 1}`)
  return Promise.resolve({ token: made.at(-1) ?? '', until: 1000 })
}

it('a token that has ended is fetched anew once, however late whoever held it hears of that', async () => {
  const tokens = new GreenhouseTokens()
  const made: string[] = []
  const get = () => tokens.get('key', 0, tokensGiven(made))
  const held = [get(), get(), get()]
  expect(await Promise.all(held)).toEqual(['token-1', 'token-1', 'token-1'])
  const again: string[] = []
  for (const one of held) {
    tokens.forget('key', one)
    again.push(await get())
  }
  expect(again).toEqual(['token-2', 'token-2', 'token-2'])
  expect(made).toHaveLength(2)
})

it('a token is fetched again when its time is over, and after it could not be had', async () => {
  const tokens = new GreenhouseTokens()
  const made: string[] = []
  await expect(tokens.get('key', 0, () => Promise.reject(new Error('down')))).rejects.toThrow('down')
  expect(await tokens.get('key', 0, tokensGiven(made))).toBe('token-1')
  expect(await tokens.get('key', 999, tokensGiven(made))).toBe('token-1')
  expect(await tokens.get('key', 1000, tokensGiven(made))).toBe('token-2')
})
