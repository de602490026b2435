import { type RefObject, useEffect, useRef } from 'react'

/** A canvas that is drawn again when its width, the colours or what it draws has changed; `draw` is given its size in its own pixels. */
export const useCanvas = (
  draw: (context: CanvasRenderingContext2D, width: number, height: number) => void,
): RefObject<HTMLCanvasElement | null> => {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const element = canvas.current
    if (!element) return undefined
    const again = () => {
      const { width, height } = element.getBoundingClientRect()
      element.width = Math.max(1, Math.round(width * devicePixelRatio))
      element.height = Math.max(1, Math.round(height * devicePixelRatio))
      const context = element.getContext('2d')
      if (context) draw(context, element.width, element.height)
    }
    again()
    const sizes = new ResizeObserver(again)
    sizes.observe(element)
    const dark = matchMedia('(prefers-color-scheme: dark)')
    dark.addEventListener('change', again)
    return () => {
      sizes.disconnect()
      dark.removeEventListener('change', again)
    }
  }, [draw])
  return canvas
}

/** A colour of the design, as it is for this element now. */
export const colourOf = (element: HTMLCanvasElement, token: `--${string}`): string =>
  getComputedStyle(element).getPropertyValue(token)
