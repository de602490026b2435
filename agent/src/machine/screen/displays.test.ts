import { describe, expect, it } from 'vitest'
import { parseXrandrMonitors } from './displays.ts'

describe('the list of X11 monitors', () => {
  it('reads names, sizes, places and the primary one', () => {
    const text = [
      'Monitors: 3',
      ' 0: +*eDP-1 1920/344x1080/193+0+0  eDP-1',
      ' 1: +HDMI-1 2560/597x1440/336+1920-200  HDMI-1',
      ' 2: RIGHT 640/100x720/100+640+0 ',
      '',
    ].join('\n')
    expect(parseXrandrMonitors(text)).toEqual([
      { id: 'eDP-1', x: 0, y: 0, width: 1920, height: 1080, primary: true },
      { id: 'HDMI-1', x: 1920, y: -200, width: 2560, height: 1440, primary: false },
      { id: 'RIGHT', x: 640, y: 0, width: 640, height: 720, primary: false },
    ])
  })

  it('finds none in an error message', () => {
    expect(parseXrandrMonitors("Can't open display :9\n")).toEqual([])
  })
})
