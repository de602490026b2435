import { CameraView, useCameraPermissions } from 'expo-camera'
import { useEffect } from 'react'
import { View } from 'react-native'
import { useTheme } from '../hooks/use-theme.ts'
import type { ScannerProps } from './code-scanner.props.ts'

export const canScan = (): boolean => true

export const CodeScanner = ({ label, onFound, onProblem }: ScannerProps) => {
  const { styles } = useTheme()
  const [permission, ask] = useCameraPermissions()
  const refused = permission && !permission.granted && !permission.canAskAgain
  useEffect(() => {
    if (permission && !permission.granted && permission.canAskAgain) ask().catch(() => undefined)
  }, [permission, ask])
  // biome-ignore lint/correctness/useExhaustiveDependencies: said once for each refusal, not for each drawing
  useEffect(() => {
    if (refused) onProblem('permission_denied')
  }, [refused])
  return (
    <View style={styles.picture} aria-label={label}>
      {permission?.granted && (
        <CameraView
          style={{ flex: 1 }}
          barcodeScannerSettings={{ barcodeTypes: ['qr'] }}
          onBarcodeScanned={({ data }) => onFound(data)}
          onMountError={() => onProblem('camera_busy')}
        />
      )}
    </View>
  )
}
