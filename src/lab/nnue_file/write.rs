//! Writing a file.

use std::io::{self, Write};

use crate::eval::nnue::file::{VERSION, write_leb128};
use crate::eval::nnue::{Family, FeatureSet, NnueForm};

/// A layer in file order: biases `[outputs]`, weights `[outputs][columns]`.
pub type FileLayer = (Vec<i32>, Vec<i8>);

/// Writes a network. `first_layer` contains biases `[L1]` and rows `[rows][L1]`. `heads` has as
/// many entries as the form has heads. The hashes are those that other programs expect, although no
/// program rejects different ones.
///
/// # Errors
/// Returns the error of writing to `out`.
pub fn write(
    out: &mut impl Write,
    form: NnueForm,
    text: &str,
    (bias, rows): (&[i16], &[i16]),
    heads: &[[FileLayer; 3]],
) -> io::Result<()> {
    let [layer_hash, head_hash, file_hash] = hashes(form);
    for number in [VERSION, file_hash, text.len() as u32] {
        out.write_all(&number.to_le_bytes())?;
    }
    out.write_all(text.as_bytes())?;
    out.write_all(&layer_hash.to_le_bytes())?;
    for numbers in [bias, rows] {
        match form.family {
            Family::Classic => {
                let bytes = numbers.iter().flat_map(|number| number.to_le_bytes());
                out.write_all(&bytes.collect::<Vec<u8>>())?;
            }
            Family::Sfnn => write_leb128(out, numbers)?,
        }
    }
    for head in heads {
        out.write_all(&head_hash.to_le_bytes())?;
        for (biases, weights) in head {
            let bytes = biases.iter().flat_map(|bias| bias.to_le_bytes());
            let weights = weights.iter().map(|&weight| weight as u8);
            out.write_all(&bytes.chain(weights).collect::<Vec<u8>>())?;
        }
    }
    Ok(())
}

/// The architecture text of a form.
pub fn architecture(form: NnueForm) -> String {
    let NnueForm { family, features, units, hidden: [first, second] } = form;
    let (name, rows) = (features.text_name(), features.rows());
    let features_text = format!("Features={name}[{rows}->{units}x2],Network=");
    let inputs = 2 * units;
    match family {
        Family::Classic => {
            features_text
                + &format!(
                    "AffineTransform[1<-{second}](ClippedReLU[{second}](\
                     AffineTransform[{second}<-{first}](ClippedReLU[{first}](\
                     AffineTransform[{first}<-{inputs}](InputSlice[{inputs}(0:{inputs})])))))"
                )
        }
        Family::Sfnn => {
            let short = features.short_name();
            let network = format!("SFNN_{short}_{units}_{first}_{second}_k3k3");
            format!("ModelType=SFNNWithoutPsqt;{features_text}{network}{{LayerStack=9}}")
        }
    }
}

/// Hashes of the first layer, of a head, and of the file.
fn hashes(form: NnueForm) -> [u32; 3] {
    if form.family == Family::Sfnn {
        return [0x5f13_4ab8, 0x6333_718a, 0x3c20_3b32];
    }
    let features: u32 = match form.features {
        FeatureSet::HalfKp => 0x5d69_d5b8,
        FeatureSet::Kp => 0x3f57_17ff,
        FeatureSet::HalfKpVm => 0x0b6b_1d9a,
        FeatureSet::HalfKaHm2 | FeatureSet::HalfKa2 => 0,
    };
    let inputs = 2 * form.units as u32;
    let affine = |hash: u32, outputs: usize| {
        0xcc03_dae4_u32.wrapping_add(outputs as u32) ^ (hash >> 1) ^ (hash << 31)
    };
    let clipped = |hash: u32| hash.wrapping_add(0x538d_24c7);
    let head = clipped(affine(0xec42_e90d ^ inputs, form.hidden[0]));
    let head = affine(clipped(affine(head, form.hidden[1])), 1);
    let layer = features ^ inputs;
    [layer, head, layer ^ head]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_match_known_files() {
        let form = NnueForm {
            family: Family::Classic,
            features: FeatureSet::HalfKp,
            units: 256,
            hidden: [32, 32],
        };
        assert_eq!(hashes(form), [0x5d69_d7b8, 0x6333_7156, 0x3e5a_a6ee]);
    }

    #[test]
    fn texts_match_known_files() {
        let form = NnueForm {
            family: Family::Classic,
            features: FeatureSet::Kp,
            units: 256,
            hidden: [32, 32],
        };
        let expected = "Features=K+P[1710->256x2],Network=AffineTransform[1<-32](ClippedReLU[32](\
                        AffineTransform[32<-32](ClippedReLU[32](AffineTransform[32<-512](\
                        InputSlice[512(0:512)])))))";
        assert_eq!(architecture(form), expected);
        let form = NnueForm {
            family: Family::Sfnn,
            features: FeatureSet::HalfKaHm2,
            units: 1024,
            hidden: [16, 64],
        };
        let expected = "ModelType=SFNNWithoutPsqt;Features=HalfKA_hm2(Friend)[73305->1024x2],\
                        Network=SFNN_halfkahm2_1024_16_64_k3k3{LayerStack=9}";
        assert_eq!(architecture(form), expected);
    }
}
