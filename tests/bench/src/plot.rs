//! Plots, as SVG.

use std::error::Error;
use std::io;

use plotters::chart::{ChartBuilder, SeriesLabelPosition};
use plotters::drawing::IntoDrawingArea as _;
use plotters::element::{Circle, PathElement};
use plotters::prelude::{IntoLogRange as _, SVGBackend};
use plotters::series::{LineSeries, PointSeries};
use plotters::style::{BLACK, Color as _, RGBColor, WHITE};

/// Width and height, in pixels.
const SIZE: (u32, u32) = (720, 420);

/// Colours that the colour-blind tell apart.
const COLOURS: [RGBColor; 6] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
];

/// Curves over two logarithmic axes.
pub(crate) struct Plot {
    /// The file's name, without `.svg`.
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) x: &'static str,
    pub(crate) y: &'static str,
    pub(crate) course: Course,
    pub(crate) curves: Vec<Curve>,
}

/// Where the curves of a plot go, which decides what corner is free for their names.
#[derive(Clone, Copy)]
pub(crate) enum Course {
    /// From the lower left to the upper right.
    Up,
    /// To where more brings no more.
    Level,
}

impl Course {
    fn free_corner(self) -> SeriesLabelPosition {
        match self {
            Self::Up => SeriesLabelPosition::UpperLeft,
            Self::Level => SeriesLabelPosition::LowerRight,
        }
    }
}

/// A curve and its name.
pub(crate) struct Curve {
    pub(crate) name: String,
    pub(crate) points: Vec<(f64, f64)>,
}

impl Plot {
    /// The plot as the text of an SVG file.
    pub(crate) fn svg(&self) -> io::Result<String> {
        let mut text = String::new();
        self.draw(&mut text)
            .map_err(|error| io::Error::other(format!("{}: {error}", self.name)))?;
        text.push('\n');
        Ok(text)
    }

    fn draw(&self, text: &mut String) -> Result<(), Box<dyn Error>> {
        let area = SVGBackend::with_string(text, SIZE).into_drawing_area();
        area.fill(&WHITE)?;
        let [x, y] = [self.range(|point| point.0), self.range(|point| point.1)];
        let mut chart = ChartBuilder::on(&area)
            .caption(self.title, ("sans-serif", 18))
            .margin(12)
            .x_label_area_size(44)
            .y_label_area_size(76)
            .build_cartesian_2d((x.0..x.1).log_scale(), (y.0..y.1).log_scale())?;
        chart
            .configure_mesh()
            .x_desc(self.x)
            .y_desc(self.y)
            .x_label_formatter(&|value| tick(*value))
            .y_label_formatter(&|value| tick(*value))
            .max_light_lines(0)
            .draw()?;
        for (curve, colour) in self.curves.iter().zip(COLOURS.into_iter().cycle()) {
            let line = LineSeries::new(curve.points.iter().copied(), colour.stroke_width(2));
            chart
                .draw_series(line)?
                .label(&curve.name)
                .legend(move |(x, y)| {
                    PathElement::new([(x, y), (x + 18, y)], colour.stroke_width(2))
                });
            let points = curve.points.iter().copied();
            chart.draw_series(PointSeries::<_, _, Circle<_, _>, _>::new(
                points,
                3,
                colour.filled(),
            ))?;
        }
        chart
            .configure_series_labels()
            .position(self.course.free_corner())
            .background_style(WHITE.mix(0.8))
            .border_style(BLACK.mix(0.3))
            .draw()?;
        area.present()?;
        Ok(())
    }

    /// From a bit below the least of the values to a bit above the greatest.
    fn range(&self, value: fn(&(f64, f64)) -> f64) -> (f64, f64) {
        let values = || {
            self.curves
                .iter()
                .flat_map(|curve| curve.points.iter().map(value))
        };
        let least = values().fold(f64::INFINITY, f64::min);
        let most = values().fold(0.0, f64::max);
        (least / 1.5, most * 1.5)
    }
}

/// A number at an axis: `1`, `20`, `5 k`, `1 M`.
fn tick(value: f64) -> String {
    match value {
        value if value >= 1e6 => format!("{} M", value / 1e6),
        value if value >= 1e3 => format!("{} k", value / 1e3),
        value => format!("{value}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plot_names_its_axes_and_its_curves() {
        let plot = Plot {
            name: "growth",
            title: "Growth",
            x: "bytes",
            y: "microseconds",
            course: Course::Up,
            curves: vec![Curve {
                name: "base64-encoder".to_owned(),
                points: vec![(32.0, 10.0), (1024.0, 11.0), (1_048_576.0, 900.0)],
            }],
        };
        let svg = plot.svg().unwrap();
        assert!(svg.starts_with("<svg "));
        for text in ["Growth", "bytes", "microseconds", "base64-encoder", "1 M"] {
            assert!(svg.contains(text), "{text}");
        }
    }
}
