import { desktopCapturer, type Session, screen } from 'electron'
import { isOfPage } from './pages.ts'

/** What the capture page was told to record when it asks for a display. */
export interface WantedDisplay {
  /** Electron's `display.id` as text. Absent: the sound of the computer alone is wanted, with any display. */
  readonly displayId?: string
  readonly loopback: boolean
}

const displaySource = async (
  displayId: string | undefined,
  onTrouble: (trouble: string) => void,
): Promise<Electron.DesktopCapturerSource | undefined> => {
  try {
    const sources = await desktopCapturer.getSources({ types: ['screen'], thumbnailSize: { width: 0, height: 0 } })
    // Where displays have no names (Wayland, some X servers) only a single one is certain.
    const certain = displayId === undefined || (sources.length === 1 && screen.getAllDisplays().length === 1)
    return sources.find(({ display_id: id }) => id === displayId) ?? (certain ? sources[0] : undefined)
  } catch (error) {
    onTrouble(`The displays could not be listed: ${String(error)}`)
    return undefined
  }
}

/**
 * Answers `getDisplayMedia` of the capture page with the display its current command names, and with the sound of the
 * computer where the command asks for it; nothing is picked by anyone else. A display that is gone is refused, so that
 * its lane leaves a gap instead of recording another one.
 */
export const answerDisplayMedia = (
  session: Session,
  wanted: () => WantedDisplay | undefined,
  onTrouble: (trouble: string) => void,
): void => {
  session.setDisplayMediaRequestHandler(
    (request, callback) => {
      const refuse = (why: string): void => {
        onTrouble(`A request for a display was refused: ${why}`)
        callback(null)
      }
      const want = wanted()
      if (!want || !request.frame || !isOfPage('capture', request.frame.url)) {
        refuse('nothing was asked to be recorded')
        return
      }
      void displaySource(want.displayId, onTrouble).then((source) => {
        if (!source) refuse(`display ${want.displayId ?? ''} is not there`)
        else callback({ video: source, ...(want.loopback && request.audioRequested ? { audio: 'loopback' } : {}) })
      })
    },
    { useSystemPicker: false },
  )
}
