import type { CameraProblem } from '../session/session.ports.ts'

export interface ScannerProps {
  readonly label: string
  readonly onFound: (text: string) => void
  /** Nothing can be scanned here now; the code can still be typed. */
  readonly onProblem: (problem: CameraProblem | 'no_decoder') => void
}
