//! Recognises the form of a file. The text suggests a form, and the sizes decide.
//!
//! Texts of real files are sometimes wrong, and some files have no text. If the sizes match the
//! form in the text exactly, that form is used. Otherwise the known forms are tried in order. A
//! text with another kind of network is an error, even if the sizes match a known form.

use super::input::refused;
use crate::eval::learned::file::WeightsError;
use crate::eval::nnue::{Family, FeatureSet, NnueForm};

/// Words in a text that name layers of these networks.
const LAYERS: [&str; 5] = [
    "AffineTransform",
    "AffineTransformSparseInput",
    "ClippedReLU",
    "SqrClippedReLU",
    "InputSlice",
];

/// A name without sizes: a network with 15 and 32 hidden units.
const NAMED: &str = "SFNN-1536";

/// Sizes that are tried if the text contains no matching sizes.
const CLASSIC_UNITS: [usize; 9] = [256, 64, 128, 384, 512, 768, 1024, 1536, 2048];
const CLASSIC_FIRST: [usize; 5] = [32, 8, 16, 15, 64];
const CLASSIC_SECOND: [usize; 5] = [32, 64, 96, 16, 128];
/// First hidden sizes that are tried. Sizes with a skip are before those of the same size without
/// it.
const SFNN_FIRST: [usize; 6] = [15, 7, 31, 16, 8, 32];
const SFNN_SECOND: [usize; 4] = [32, 64, 96, 16];
/// Size of a section of some files: hash, bias, and a weight for each king and piece. Their program
/// uses the section to estimate the progress of the game.
const PROGRESS_BYTES: u64 = 4 + 4 + 4 * 81 * 1548;

/// Returns an error for texts of other kinds of networks.
pub(super) fn check_text(text: &str) -> Result<(), WeightsError> {
    let name = |start: &str, ends: &[char]| {
        let rest = text.split_once(start)?.1;
        Some(&rest[..rest.find(ends).unwrap_or(rest.len())])
    };
    if let Some(features) = name("Features=", &['[', ',', ';'])
        && FeatureSet::from_text_name(features).is_none()
    {
        return Err(refused("features", format!("{features:?} are not supported")));
    }
    if let Some(kind) = name("ModelType=", &[';', ','])
        && kind != "SFNNWithoutPsqt"
    {
        return Err(refused("model type", format!("{kind:?} is not supported")));
    }
    let network = text.split_once("Network=").map_or("", |(_, network)| network);
    check_name(network)?;
    for before in network.split('[').rev().skip(1) {
        let word = before.rsplit(|c: char| !c.is_ascii_alphanumeric() && c != '_').next();
        if let Some(word) = word.filter(|word| !word.is_empty() && !LAYERS.contains(word)) {
            return Err(refused("layer", format!("{word:?} is not supported")));
        }
    }
    if let Some(count) = name("LayerStack=", &['}', ',', ';'])
        && count != NnueForm::SFNN_HEADS.to_string()
    {
        let expected = NnueForm::SFNN_HEADS;
        return Err(refused("layer stacks", format!("{count:?}; expected {expected}")));
    }
    Ok(())
}

/// Returns an error for a name of a network that is not completely known. Known are layers,
/// `SFNN-1536`, and `SFNN_features_1024_16_64_k3k3`, with or without the last word. Other words
/// change the arithmetic, often without a change of the sizes: shards of the first layer
/// (`C0_S64X2`), or another choice of the head (`progress8`).
fn check_name(network: &str) -> Result<(), WeightsError> {
    let end = network.find(['{', '[', '(', ',', ';']).unwrap_or(network.len());
    let (name, behind) = network.split_at(end);
    let refuse =
        |field, what: &str| Err(refused(field, format!("{what} of {name:?} is not supported")));
    if network.to_ascii_lowercase().contains("progress") {
        return refuse("stack choice", "a choice by progress");
    }
    if let Some((braces, _)) = behind.strip_prefix('{').and_then(|text| text.split_once('}')) {
        let is_known = |part: &&str| part.starts_with("LayerStack=");
        if let Some(part) = braces.split([',', ';']).find(|part| !is_known(part)) {
            return refuse("network", &format!("{part:?}"));
        }
    }
    if name.is_empty() || name == NAMED || LAYERS.contains(&name) {
        return Ok(());
    }
    let words: Vec<&str> = name.split('_').collect();
    let is_size = |word: &&str| word.parse::<usize>().is_ok();
    let sizes = words.iter().position(is_size).unwrap_or(words.len());
    let (start, rest) = words.split_at(sizes);
    let is_sfnn = start.first().is_some_and(|word| word.eq_ignore_ascii_case("SFNN"));
    let (true, Some(rest)) = (is_sfnn, after_sizes(rest)) else {
        return refuse("network", "the name");
    };
    let features = start[1..].concat();
    if !features.is_empty() && FeatureSet::from_short_name(&features).is_none() {
        return refuse("features", &format!("{features:?}"));
    }
    let mut unknown = rest.to_vec();
    unknown.retain(|word| !word.eq_ignore_ascii_case("k3k3"));
    let unknown = unknown.join("_");
    if unknown.is_empty() { Ok(()) } else { refuse("stack choice", &format!("{unknown:?}")) }
}

/// The words of a name after its three sizes.
fn after_sizes<'a, 'b>(words: &'a [&'b str]) -> Option<&'a [&'b str]> {
    let (sizes, rest) = words.split_at_checked(3)?;
    sizes.iter().all(|word| word.parse::<usize>().is_ok()).then_some(rest)
}

/// The form of a classic file with `bytes` bytes after the hash of the first layer.
pub(super) fn classic(text: &str, bytes: u64) -> Result<NnueForm, WeightsError> {
    let size = |form: &NnueForm| form.classic_rows_bytes() + form.head_bytes();
    let named = named_classic(text);
    if let Some(form) = named.filter(|form| form.is_possible() && size(form) == bytes) {
        return Ok(form);
    }
    let all = FeatureSet::ALL.into_iter().take(3).flat_map(|features| {
        CLASSIC_UNITS.into_iter().flat_map(move |units| {
            sizes(&CLASSIC_FIRST, &CLASSIC_SECOND).map(move |hidden| NnueForm {
                family: Family::Classic,
                features,
                units,
                hidden,
            })
        })
    });
    let fits = |form: &NnueForm| size(form) == bytes;
    let set = named_features(text);
    let mut fitting = all.filter(fits);
    let first = fitting.next();
    let same = first.into_iter().chain(fitting).find(|form| Some(form.features) == set);
    same.or(first).ok_or_else(|| match named {
        Some(form) if !form.is_possible() => {
            refused("sizes", format!("the sizes of {form} are not supported"))
        }
        Some(form) => wrong_size(form, bytes, size(&form)),
        None => refused("size", format!("no known form has {bytes} bytes after the header")),
    })
}

/// The form of an SFNN file with these numbers of units and weights in the first layer, and with
/// `bytes` bytes after that layer.
pub(super) fn sfnn(
    text: &str,
    (units, weights): (u64, u64),
    bytes: u64,
) -> Result<NnueForm, WeightsError> {
    let impossible = |what: &str, number: u64| refused("first layer", format!("{number} {what}"));
    if !NnueForm::are_sfnn_units(units) {
        return Err(impossible("units", units));
    }
    let features = FeatureSet::ALL
        .into_iter()
        .find(|set| set.rows() as u64 * units == weights)
        .ok_or_else(|| impossible("weights belong to no known feature set", weights))?;
    let form = |hidden| NnueForm { family: Family::Sfnn, features, units: units as usize, hidden };
    let size = |form: &NnueForm| form.heads() as u64 * form.head_bytes();
    let named = named_sfnn(text, units).map(form);
    if let Some(form) = named.filter(|form| form.is_possible() && size(form) == bytes) {
        return Ok(form);
    }
    let fitting = |bytes| sizes(&SFNN_FIRST, &SFNN_SECOND).map(form).find(|f| size(f) == bytes);
    if let Some(form) = fitting(bytes) {
        return Ok(form);
    }
    if bytes.checked_sub(PROGRESS_BYTES).is_some_and(|rest| fitting(rest).is_some()) {
        return Err(refused("stack choice", "a choice by progress is not supported, only k3k3"));
    }
    Err(match named {
        Some(form) if form.is_possible() => wrong_size(form, bytes, size(&form)),
        _ => refused("size", format!("no known sizes of nine heads have {bytes} bytes")),
    })
}

/// All pairs of sizes in order.
fn sizes(first: &[usize], second: &[usize]) -> impl Iterator<Item = [usize; 2]> {
    first.iter().flat_map(move |&first| second.iter().map(move |&second| [first, second]))
}

fn wrong_size(form: NnueForm, bytes: u64, expected: u64) -> WeightsError {
    let what = if bytes < expected { "truncated" } else { "trailing bytes" };
    refused("size", format!("{what}: {bytes} bytes; {form} has {expected}"))
}

fn named_features(text: &str) -> Option<FeatureSet> {
    FeatureSet::from_text_name(text.split_once("Features=")?.1.split_once('[')?.0)
}

/// The form in a text like this one: `Features=K+P[1710->256x2],Network=AffineTransform[1<-32](
/// ClippedReLU[32](AffineTransform[32<-32](ClippedReLU[32](AffineTransform[32<-512](...`.
fn named_classic(text: &str) -> Option<NnueForm> {
    let features = named_features(text)?;
    let shape = text.split_once("->")?.1.split_once(']')?.0;
    let units: usize = shape.strip_suffix("x2")?.parse().ok()?;
    let layers = text.split('[').filter_map(|word| {
        let (outputs, rest) = word.split_once("<-")?;
        let inputs = rest.split_once(']')?.0;
        Some((outputs.parse::<usize>().ok()?, inputs.parse::<usize>().ok()?))
    });
    let layers: Vec<(usize, usize)> = layers.collect();
    let &[(1, second), (same, first), (also, inputs)] = layers.as_slice() else { return None };
    let is_chain = same == second && also == first && units.checked_mul(2) == Some(inputs);
    let hidden = [first, second];
    is_chain.then_some(NnueForm { family: Family::Classic, features, units, hidden })
}

/// The hidden sizes in a name like `SFNN_HALFKA2_1024_7_64_K3K3`, or those of `SFNN-1536`.
fn named_sfnn(text: &str, units: u64) -> Option<[usize; 2]> {
    let network = text.split_once("Network=")?.1;
    let name = network.split(['{', '[', ',']).next()?;
    if name == NAMED {
        return Some([15, 32]);
    }
    let rest = name.split_once(&format!("_{units}_"))?.1;
    let mut numbers = rest.split('_').map(str::parse::<usize>);
    Some([numbers.next()?.ok()?, numbers.next()?.ok()?])
}

#[cfg(test)]
mod tests {
    use super::*;

    const KP: &str = "Features=K+P[1710->256x2],Network=AffineTransform[1<-32](ClippedReLU[32](\
                      AffineTransform[32<-32](ClippedReLU[32](AffineTransform[32<-512](InputSlice[\
                      512(0:512)])))))";

    fn message<T: std::fmt::Debug>(result: Result<T, WeightsError>) -> String {
        result.expect_err("refused").to_string()
    }

    #[test]
    fn the_text_decides_if_the_sizes_are_unusual() {
        let form = NnueForm {
            family: Family::Classic,
            features: FeatureSet::Kp,
            units: 40,
            hidden: [12, 20],
        };
        let bytes = form.classic_rows_bytes() + form.head_bytes();
        let text = KP.replace("256x2", "40x2").replace("32<-512", "12<-80");
        let text = text.replace("32<-32", "20<-12").replace("1<-32", "1<-20");
        assert_eq!(classic(&text, bytes).expect("the text names the form"), form);
        assert!(message(classic(KP, bytes)).contains("K-P 256x2-32-32"));
        assert!(message(classic("", bytes)).contains(&bytes.to_string()));
    }

    #[test]
    fn the_sizes_decide_if_the_text_is_wrong() {
        for (features, units, hidden) in [
            (FeatureSet::HalfKp, 256, [32, 32]),
            (FeatureSet::HalfKp, 128, [32, 32]),
            (FeatureSet::HalfKp, 512, [8, 64]),
            (FeatureSet::HalfKp, 512, [8, 96]),
            (FeatureSet::HalfKp, 512, [16, 32]),
            (FeatureSet::HalfKp, 768, [16, 64]),
            (FeatureSet::HalfKp, 1024, [8, 32]),
            (FeatureSet::HalfKp, 1024, [8, 64]),
            (FeatureSet::HalfKp, 1024, [8, 96]),
            (FeatureSet::HalfKpVm, 256, [32, 32]),
            (FeatureSet::Kp, 256, [32, 32]),
        ] {
            let form = NnueForm { family: Family::Classic, features, units, hidden };
            let bytes = form.classic_rows_bytes() + form.head_bytes();
            for text in ["", KP, "mine,fv_scale=24"] {
                assert_eq!(classic(text, bytes).expect("the form is known"), form);
            }
            let text = message(classic(KP, bytes + 1));
            assert!(text.contains("trailing bytes") || text.contains("truncated"), "{text}");
        }
    }

    #[test]
    fn a_skip_is_assumed_unless_the_text_has_other_sizes() {
        let form = |first| NnueForm {
            family: Family::Sfnn,
            features: FeatureSet::HalfKaHm2,
            units: 1024,
            hidden: [first, 64],
        };
        let weights = 1024 * FeatureSet::HalfKaHm2.rows() as u64;
        let bytes = 9 * form(15).head_bytes();
        let read = |text: &str| sfnn(text, (1024, weights), bytes).expect("the form is known");
        assert_eq!(read(""), form(15));
        assert_eq!(read("Network=SFNN_halfkahm2_1024_15_64_k3k3{LayerStack=9}"), form(15));
        assert_eq!(read("Network=SFNN_halfkahm2_1024_16_64_k3k3{LayerStack=9}"), form(16));
        let refused = |units, weights, bytes| message(sfnn("", (units, weights), bytes));
        assert!(refused(1025, 1, 1).contains("1025 units"));
        assert!(refused(1024, 1024 * 7, bytes).contains("7168 weights"));
        assert!(refused(1024, weights, bytes + 1).contains("nine heads"));
        assert!(refused(1024, weights, bytes + PROGRESS_BYTES).contains("progress"));
    }

    #[test]
    fn texts_of_other_networks_are_refused() {
        let accepted = [
            "",
            "any words",
            KP,
            "Features=HalfKP(Friend)[125388->256x2],Network=AffineTransformSparseInput[1<-2](x),fv_scale=20",
            "ModelType=SFNNWithoutPsqt;Features=HalfKA_hm(Friend)[73305->1536x2],\
             Network=SFNN-1536{LayerStack=9}",
            "ModelType=SFNNWithoutPsqt;Features=HalfKA2(Friend)[131949->1024x2],\
             Network=SFNN_HALFKA2_1024_7_64_K3K3{LayerStack=9}",
            "Network=SFNN_halfka_hm2_1536_15_32{LayerStack=9},fv_scale=28",
            "Network=SFNN_1536_15_32_k3k3{LayerStack=9}",
        ];
        for text in accepted {
            assert!(check_text(text).is_ok(), "{text}");
        }
        for (text, culprit) in [
            ("Features=HalfKPE9(Friend)[1128492->256x2],Network=x", "HalfKPE9(Friend)"),
            ("Features=K+P[1710->256x2],Network=AffineTransform[1<-32](SCReLU[32](y", "SCReLU"),
            ("ModelType=SFNN;Features=K+P[1710->256x2]", "\"SFNN\""),
            ("Network=SFNN-1536{LayerStack=8}", "\"8\""),
            ("Network=SFNN_halfkahm2_1024_16_64_progress8{LayerStack=9}", "progress8"),
            ("Network=SFNN_halfkahm2_1024_16_64_hand{LayerStack=9}", "1024_16_64_hand"),
            ("Network=SFNN_HALFKAHM2_128_7_64_C0_S64X2_K3K3{LayerStack=9}", "\"C0_S64X2\""),
            ("Network=SFNN_HALFKAHM2_128_7_64_XYZ_K3K3{LayerStack=9}", "\"XYZ\""),
            ("Network=SFNN_HALFKAHM2_128_7_64_K3K3_XYZ{LayerStack=9}", "\"XYZ\""),
            ("Network=SFNN_HALFKAHM2_128_7_64_16_K3K3{LayerStack=9}", "\"16\""),
            ("Network=SFNN_HALFKAHM2_PSQT_128_7_64_K3K3{LayerStack=9}", "HALFKAHM2PSQT"),
            ("Network=SFNN_HALFKAHM2_128_7_K3K3{LayerStack=9}", "128_7_K3K3"),
            ("Network=SFNN_k9k9_128_7_64{LayerStack=9}", "k9k9"),
            ("Network=SFNN-2048{LayerStack=9}", "SFNN-2048"),
            ("Network=SFNN-1536{LayerStack=9,Shards=2}", "Shards=2"),
            ("Network=Other_halfkahm2_128_7_64_k3k3{LayerStack=9}", "Other_halfkahm2"),
        ] {
            let message = message(check_text(text));
            assert!(message.contains(culprit), "{message}");
        }
    }
}
