import { expect, it } from 'vitest'
import { systemOf } from './system.web.ts'

const webKit = 'AppleWebKit/605.1.15 (KHTML, like Gecko)'

it.each([
  [
    'ios',
    `Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) ${webKit} Version/18.5 Mobile/15E148 Safari/604.1`,
    5,
  ],
  ['ios', `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webKit} Version/18.5 Safari/605.1.15`, 5],
  ['computer', `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webKit} Version/18.5 Safari/605.1.15`, 0],
  ['android', 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/141.0.0.0 Mobile Safari/537.36', 5],
  ['android', 'Mozilla/5.0 (Android 15; Mobile; rv:143.0) Gecko/143.0 Firefox/143.0', 5],
  ['computer', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/141.0.0.0 Safari/537.36', 10],
] as const)('the dialogs of %s are those of %s', (system, userAgent, maxTouchPoints) => {
  expect(systemOf({ userAgent, maxTouchPoints })).toBe(system)
})
