import { phoneColours, phoneSizes } from '@integrity/protocol/clients/tokens'
import { useEffect, useRef } from 'react'
import { canScanCodes, scanCodes } from '../platform/scan-codes.web.ts'
import type { ScannerProps } from './code-scanner.props.ts'

export const canScan = canScanCodes

const frame = {
  width: '100%',
  aspectRatio: '4 / 3',
  objectFit: 'cover',
  borderRadius: phoneSizes.radiusL,
  background: phoneColours.picture[0],
} as const

export const CodeScanner = ({ label, onFound, onProblem }: ScannerProps) => {
  const ref = useRef<HTMLVideoElement>(null)
  const events = useRef({ onFound, onProblem })
  useEffect(() => {
    events.current = { onFound, onProblem }
  })
  useEffect(() => {
    const video = ref.current
    if (!video) return undefined
    return scanCodes(video, {
      onFound: (text) => events.current.onFound(text),
      onProblem: (problem) => events.current.onProblem(problem),
    })
  }, [])
  return <video ref={ref} aria-label={label} muted playsInline style={frame} />
}
